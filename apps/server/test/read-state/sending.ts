import assert from 'node:assert/strict'
import type { MessageId } from '@oxbow/contract'
import { request } from '@oxbow/testkit'
import fc from 'fast-check'
import { add, type Name, names, newMessage } from './model.ts'
import { mayPost, someone, step, stream, streamAt, topic } from './step.ts'

const fullNames: Record<Name, string> = {
  owner: 'Olive Owner',
  mia: 'Mia Gardener',
  nora: 'Nora Gardener',
  gus: 'Gus Gardener',
}

export const sendMessage = step(
  'send',
  { stream, topic, mention: fc.option(fc.constantFrom(...names, 'all' as const)), isHuman: fc.boolean() },
  ({ by, at, stream, topic, mention, isHuman }, model, { world, people }) => {
    const to = streamAt(model, stream)
    if (!mayPost(by, to)) return undefined
    const named = mention === 'all' ? 'all' : mention ? fullNames[mention] : undefined
    const content = named ? `@**${named}** look` : 'Sunny.'
    let id = 0
    return {
      async call() {
        const { status, body } = await request(world.nodes[at].url, {
          method: 'POST',
          path: '/api/v1/messages',
          credentials: people[by],
          form: { type: 'stream', to: String(to.id), topic, content, ...(isHuman && { client: 'website' }) },
        })
        assert.equal(status, 200, JSON.stringify(body))
        id = body.id as number
      },
      change() {
        const mentioned = new Set([...to.members].filter((name) => name === mention))
        const read = new Set(isHuman ? [by] : [])
        add(
          model,
          newMessage(id as MessageId, by, to, { topic, mentioned, read, mentionsAll: mention === 'all' }),
        )
      },
    }
  },
)

export const sendPrivately = step(
  'send privately',
  { to: fc.uniqueArray(someone, { minLength: 1, maxLength: 3 }) },
  ({ by, to }, model, { people }) => {
    const members = [...new Set([by, ...to])]
    let id = 0
    return {
      async call({ messages }) {
        const sent = await messages.send({
          type: 'private',
          to: to.map((name) => people[name].user_id as number),
          content: 'Sunny.',
        })
        id = sent.id ?? 0
      },
      change: () => add(model, newMessage(id as MessageId, by, undefined, { people: members })),
    }
  },
)

export const hold = step('hold back', { stream, topic }, ({ by, stream, topic }, model, server) => {
  const to = streamAt(model, stream)
  // The first message to a stream blocks other sends to it until it is committed.
  if (!model.messages.some(({ place }) => place === to)) return undefined
  if (!mayPost(by, to) || server.held.length > 3) return undefined
  return { call: () => server.hold(by, to, topic, 'Late.'), change: () => {} }
})

export const release = step('release', { which: fc.nat({ max: 3 }) }, ({ which }, model, server) => {
  const [held] = server.held.splice(which % Math.max(1, server.held.length), 1)
  if (!held) return undefined
  const { id, sender, stream, topic, commit } = held
  return { call: commit, change: () => add(model, newMessage(id, sender, stream, { topic })) }
})
