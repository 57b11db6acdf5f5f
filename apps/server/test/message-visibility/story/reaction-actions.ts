import type { MessageId } from '@oxbow/contract'
import fc from 'fast-check'
import { react, removeReaction } from '../model/changes.ts'
import { isChangeable, isReadable, type Message, type Model, type Name } from '../model/model.ts'
import type { Transaction } from '../server/log.ts'
import type { TestedServer } from '../server/tested-server.ts'
import { pickMessage, randomAction, someIndex, someone } from './random-action.ts'

const emoji = fc.constantFrom('tada', 'rocket')

const add = randomAction(
  'react',
  { by: someone, message: someIndex, emoji },
  ({ by, message: index, emoji }, scene) => {
    const message = pickMessage(scene.model, index, (message) => isReadable(scene.model, by, message))
    if (!message) return undefined
    return {
      label: `to ${message.id} with ${emoji}`,
      by,
      call: ({ messages }) =>
        messages.addReaction({ message_id: message.id as MessageId, emoji_name: emoji }),
      effect: {
        isIn: isReaction(scene.server, 'add', message, by, emoji),
        isPossible: (model) => canChange(model, by, message) && !has(model, by, message, emoji),
        apply: changing(message, (model, changed) => react(model, changed, by, emoji)),
      },
    }
  },
)

const remove = randomAction(
  'take back',
  { message: someIndex, reaction: someIndex },
  ({ message: index, reaction }, scene) => {
    const message = pickMessage(scene.model, index, ({ reactions }) => reactions.size > 0)
    const existing = [...(message?.reactions ?? [])]
    const [by, emoji] = (existing[reaction % Math.max(existing.length, 1)]?.split(' ') ?? []) as [
      Name?,
      string?,
    ]
    if (!message || !by || !emoji) return undefined
    return {
      label: `${emoji} from ${message.id}`,
      by,
      call: ({ messages }) =>
        messages.removeReaction({ message_id: message.id as MessageId, emoji_name: emoji }),
      effect: {
        isIn: isReaction(scene.server, 'remove', message, by, emoji),
        isPossible: (model) => canChange(model, by, message) && has(model, by, message, emoji),
        apply: changing(message, (model, changed) => removeReaction(model, changed, by, emoji)),
      },
    }
  },
)

const isReaction = (server: TestedServer, op: string, { id }: Message, by: Name, emoji: string) => {
  const user = server.idOf(by)
  return (transaction: Transaction) =>
    transaction.some(
      ({ type, event }) =>
        type === 'reaction' &&
        event.op === op &&
        event.message_id === id &&
        event.user_id === user &&
        event.emoji_name === emoji,
    )
}

function canChange(model: Model, by: Name, { id }: Message): boolean {
  const message = model.messages.get(id)
  return message !== undefined && isChangeable(model, by, message)
}

const has = ({ messages }: Model, by: Name, { id }: Message, emoji: string): boolean =>
  messages.get(id)?.reactions.has(`${by} ${emoji}`) ?? false

const changing =
  ({ id }: Message, change: (model: Model, message: Message) => void) =>
  (model: Model) => {
    const message = model.messages.get(id)
    if (message) change(model, message)
  }

export const reactionActions = [
  { arbitrary: add, weight: 5 },
  { arbitrary: remove, weight: 2 },
]
