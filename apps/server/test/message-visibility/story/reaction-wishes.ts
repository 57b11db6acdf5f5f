import type { MessageId } from '@oxbow/contract'
import fc from 'fast-check'
import { react, removeReaction } from '../model/changes.ts'
import { isChangeable, isReadable, type Message, type Model, type Name } from '../model/model.ts'
import type { Transaction } from '../server/log.ts'
import type { Real } from '../server/real.ts'
import { pickMessage, some, someone, wish } from './wish.ts'

const emoji = fc.constantFrom('tada', 'rocket')

const add = wish('react', { by: someone, message: some, emoji }, ({ by, message: index, emoji }, scene) => {
  const message = pickMessage(scene.model, index, (message) => isReadable(scene.model, by, message))
  if (!message) return undefined
  return {
    label: `to ${message.id} with ${emoji}`,
    by,
    call: ({ messages }) => messages.addReaction({ message_id: message.id as MessageId, emoji_name: emoji }),
    effect: {
      isIn: isReaction(scene.real, 'add', message, by, emoji),
      isPossible: (model) => canChange(model, by, message) && !has(model, by, message, emoji),
      apply: changing(message, (model, changed) => react(model, changed, by, emoji)),
    },
  }
})

const remove = wish('take back', { message: some, reaction: some }, ({ message: index, reaction }, scene) => {
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
      isIn: isReaction(scene.real, 'remove', message, by, emoji),
      isPossible: (model) => canChange(model, by, message) && has(model, by, message, emoji),
      apply: changing(message, (model, changed) => removeReaction(model, changed, by, emoji)),
    },
  }
})

const isReaction = (real: Real, op: string, { id }: Message, by: Name, emoji: string) => {
  const user = real.idOf(by)
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

export const reactionWishes = [
  { arbitrary: add, weight: 5 },
  { arbitrary: remove, weight: 2 },
]
