import type { MessageId, StreamId } from '@oxbow/contract'
import fc from 'fast-check'
import { deleteMessage, edit, type Mode, move } from '../model/changes.ts'
import {
  inTopic,
  isChangeable,
  isPublic,
  isReadable,
  isReceived,
  type Message,
  type Model,
  type Name,
  streamOf,
} from '../model/model.ts'
import { assertHidesNothing, isMovable, type MayChange } from '../model/permitted-changes.ts'
import type { LoggedEvent, Transaction } from '../server/log.ts'
import type { Effect } from './plan.ts'
import {
  administrator,
  pickMessage,
  pickMostly,
  pickStream,
  randomAction,
  someIndex,
  someone,
} from './random-action.ts'
import { changedFilesIn, checkClaims, topic } from './send-actions.ts'
import { textOptions, write } from './texts.ts'

const mode = fc.constantFrom<Mode>('change_one', 'change_later', 'change_all')

const editText = randomAction(
  'edit content',
  {
    by: someone,
    message: someIndex,
    text: textOptions,
    topic: fc.option(topic, { nil: undefined, freq: 3 }),
    mode,
  },
  (
    { by, message: index, text: textOptions, topic: newTopic, mode },
    { model, server, serial, unsettled },
  ) => {
    const message = pickMessage(model, index)
    if (!message) return undefined
    const text = write(textOptions, serial, server.uris, (name) => unsettled.has(name))
    const editor = message.sender === 'notices' ? by : message.sender
    const topic = message.people ? undefined : newTopic
    const along = topic === undefined ? {} : { topic, propagate_mode: mode }
    return {
      label: `of ${message.id} to "${text.content}"${topic === undefined ? '' : ` and topic ${topic}, ${mode}`}`,
      by: editor,
      call: ({ messages }) =>
        messages.edit({ message_id: message.id as MessageId, content: text.content, ...along }),
      effect: effectOn(message, editor, {
        isIn: (logged) => logged.type === 'update_message' && logged.event.content === text.content,
        apply: (model, edited, transaction) => {
          const changed = changedFilesIn(transaction)
          // An upload that the message referred to both before and after the edit has no event.
          const claims = text.files.filter((uri) => changed.has(uri) || edited.claims.has(uri))
          edit(model, edited, editor, { text, claims: new Set(claims), topic, mode })
        },
      }),
      check: (_response, states) => checkClaims(states, editor, text, message.id),
    }
  },
)

const changeTopic = randomAction(
  'edit topic',
  { by: someone, message: someIndex, topic, mode },
  ({ by, message: index, topic, mode }, { model, server }) => {
    const message = pickMessage(model, index, (message) => !message.people && isReadable(model, by, message))
    if (!message || message.people) return undefined
    const message_id = message.id as MessageId
    return {
      label: `of ${message.id} to ${topic}, ${mode}`,
      by,
      call: ({ messages }) => messages.edit({ message_id, topic, propagate_mode: mode }),
      effect: effectOn(message, by, {
        isIn: ({ type, event }) =>
          type === 'update_message' &&
          event.new_stream_id === undefined &&
          event.content === undefined &&
          event.subject === topic &&
          event.propagate_mode === mode &&
          event.user_id === server.idOf(by) &&
          (event.message_ids as number[]).includes(message.id),
        apply: (model, edited) => edit(model, edited, by, { topic, mode }),
      }),
    }
  },
)

const moveToStream = randomAction(
  'move',
  {
    by: someone,
    message: someIndex,
    stream: someIndex,
    topic: fc.option(topic, { nil: undefined }),
    mode,
    isTold: someIndex,
  },
  ({ by: name, message: index, stream, topic, mode, isTold }, { model, server }) => {
    const by = administrator(model, name, index)
    const isOpen = (message: Message) => !message.people && isPublic(streamOf(model, message.streamId))
    const message = pickMessage(model, index, isOpen)
    const others = [...model.streams.values()].filter(({ id }) => id !== message?.streamId)
    const to = pickMostly(others, stream, isPublic)?.id
    if (!message || message.people || to === undefined) return undefined
    return {
      label: `${message.id} from ${message.streamId} to ${to} > ${topic ?? message.topic}, ${mode}`,
      by,
      call: ({ messages }) =>
        messages.edit({
          message_id: message.id as MessageId,
          stream_id: to as StreamId,
          propagate_mode: mode,
          ...(topic !== undefined && { topic }),
          send_notification_to_old_thread: isTold === 0,
          send_notification_to_new_thread: isTold < 2,
        }),
      effect: effectOn(message, by, {
        mayChange: isMovable,
        isIn: ({ type, event }) => {
          // Another user may have moved it to that stream first.
          const isThere = event.new_stream_id === undefined && event.stream_id === to
          return (
            type === 'update_message' &&
            (event.new_stream_id === to || isThere) &&
            event.content === undefined &&
            event.propagate_mode === mode &&
            event.user_id === server.idOf(by) &&
            (event.message_ids as number[]).includes(message.id)
          )
        },
        apply: (model, moved) =>
          moved.streamId === to
            ? edit(model, moved, by, { topic: topic ?? moved.topic, mode })
            : move(model, moved, by, to, topic, mode),
      }),
    }
  },
)

const removeMessage = randomAction(
  'delete',
  { by: someone, message: someIndex },
  ({ by: name, message: index }, { model }) => {
    const by = administrator(model, name, index)
    const message = pickMessage(model, index, (message) => isReadable(model, by, message))
    if (!message) return undefined
    return {
      label: `${message.id}`,
      by,
      call: ({ messages }) => messages.remove({ message_id: message.id as MessageId }),
      effect: effectOn(message, by, {
        isIn: ({ event }, transaction) =>
          isDeletion(transaction) && ((event.message_ids as number[]) ?? []).includes(message.id),
        apply: deleteMessage,
      }),
    }
  },
)

/**
 * Returns whether this transaction is a deletion. A move also emits deletions, for guests who lose
 * the message.
 */
const isDeletion = (transaction: Transaction) => !transaction.some(({ type }) => type === 'update_message')

interface EffectOnMessage {
  /** Whether a user may make this change; by default, every user who may change the message. */
  mayChange?: MayChange
  isIn(logged: LoggedEvent, transaction: Transaction): boolean
  apply(model: Model, message: Message, transaction: Transaction): void
}

function effectOn(
  { id }: Message,
  by: Name,
  { mayChange = isChangeable, isIn, apply }: EffectOnMessage,
): Effect {
  return {
    isIn: (transaction) => transaction.some((logged) => isIn(logged, transaction)),
    isPossible: (model) => {
      const message = model.messages.get(id)
      return message !== undefined && isChangeable(model, by, message)
    },
    apply: (model, transaction) => {
      const message = model.messages.get(id)
      if (message) assertHidesNothing(model, mayChange, () => apply(model, message, transaction))
    },
  }
}

const removeTopic = randomAction(
  'delete topic',
  { by: someone, stream: someIndex, topic },
  ({ by: name, stream, topic }, { model }) => {
    const by = administrator(model, name, stream)
    const { id } = pickStream(model, stream)
    return {
      label: `${id} > ${topic}`,
      by,
      call: ({ streams }) => streams.deleteTopic({ stream_id: id as StreamId, topic_name: topic }),
      effect: {
        isIn: (transaction) =>
          isDeletion(transaction) &&
          transaction.some(
            ({ type, event }) =>
              type === 'delete_message' &&
              event.stream_id === id &&
              String(event.topic).toLowerCase() === topic.toLowerCase(),
          ),
        isPossible: () => true,
        apply: (model) => {
          for (const message of inTopic(model, id, topic)) {
            const mayKnow = streamOf(model, id).kind !== 'protected' || isReceived(model, by, message)
            if (mayKnow) deleteMessage(model, message)
          }
        },
      },
    }
  },
)

export const messageActions = [
  { arbitrary: editText, weight: 4 },
  { arbitrary: changeTopic, weight: 2 },
  { arbitrary: moveToStream, weight: 4 },
  { arbitrary: removeMessage, weight: 2 },
  { arbitrary: removeTopic, weight: 1 },
]
