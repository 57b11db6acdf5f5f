import type { MessageId, StreamId } from '@oxbow/contract'
import fc from 'fast-check'
import {
  changeFlag,
  type Flag,
  type Flagging,
  listFlaggable,
  markAllRead,
  markListedRead,
} from '../model/changes.ts'
import { foldTopic, isReadable, type Message } from '../model/model.ts'
import type { Transaction } from '../server/log.ts'
import type { TestedServer } from '../server/tested-server.ts'
import { pickMessage, pickStream, randomAction, someIndex, someone } from './random-action.ts'
import { topic } from './send-actions.ts'

const change = randomAction(
  'flag',
  {
    by: someone,
    indexes: fc.uniqueArray(someIndex, { minLength: 1, maxLength: 3 }),
    flag: fc.constantFrom<Flag>('starred', 'starred', 'collapsed', 'read'),
    isAdded: fc.boolean(),
  },
  ({ by, indexes, flag, isAdded }, { model, server }) => {
    const isRead = (message: Message) => isReadable(model, by, message)
    const chosen = indexes.flatMap((index) => pickMessage(model, index, isRead)?.id ?? [])
    const messages = [...new Set(chosen)]
    if (messages.length === 0) return undefined
    const flagging: Flagging = { by, flag, isAdded, messages }
    const op = isAdded ? 'add' : 'remove'
    return {
      label: `${messages} ${isAdded ? '' : 'not '}${flag}`,
      by,
      call: (client) => client.messages.changeFlags({ messages: messages as MessageId[], op, flag }),
      effect: {
        isIn: (transaction) => changesFlags(server, by, transaction),
        mayBeLate: true,
        isPossible: (model) => listFlaggable(model, flagging).length > 0,
        apply: (model) => changeFlag(model, flagging),
      },
    }
  },
)

/**
 * Returns whether the transaction changes flags of this user. Each user has at most one such action at a
 * time.
 */
const changesFlags = (server: TestedServer, by: Flagging['by'], transaction: Transaction) =>
  !transaction.some(({ type }) => type === 'delete_message') &&
  transaction.some(
    ({ type, header }) => type === 'update_message_flags' && header.to?.users?.[0] === server.idOf(by),
  )

const markAll = randomAction('mark', { by: someone }, ({ by }, { server }) => ({
  label: 'all as read',
  by,
  call: ({ messages }) => messages.markAllRead(),
  effect: {
    isIn: (transaction) => changesFlags(server, by, transaction),
    isPossible: () => true,
    apply: (model) => markAllRead(model, by),
  },
}))

const markPlace = randomAction(
  'mark',
  { by: someone, stream: someIndex, topic: fc.option(topic, { nil: undefined }) },
  ({ by, stream, topic }, { model, server }) => {
    const { id } = pickStream(model, stream, ({ members }) => members.has(by))
    const stream_id = id as StreamId
    const isThere = (message: Message) =>
      !message.people &&
      message.streamId === id &&
      (topic === undefined || foldTopic(message.topic) === foldTopic(topic))
    return {
      label: `${id} ${topic === undefined ? '' : `> ${topic} `}as read`,
      by,
      call: ({ messages }) =>
        topic === undefined
          ? messages.markStreamRead({ stream_id })
          : messages.markTopicRead({ stream_id, topic_name: topic }),
      effect: {
        isIn: (transaction) => changesFlags(server, by, transaction),
        isPossible: () => true,
        apply: (model, transaction) => markListedRead(model, by, isThere, messagesIn(transaction)),
      },
    }
  },
)

const messagesIn = (transaction: Transaction) =>
  transaction.flatMap(({ type, event }) =>
    type === 'update_message_flags' ? (event.messages as number[]) : [],
  )

export const flagActions = [
  { arbitrary: change, weight: 7 },
  { arbitrary: markAll, weight: 1 },
  { arbitrary: markPlace, weight: 2 },
]
