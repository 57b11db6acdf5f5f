import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { client } from './client.ts'

/** Facts that are asked for when they are first read, and again after this time. */
const freshMs = 60_000

interface Fact<Value> {
  readonly value: Signal<Value | undefined>
  readAt: number
}

/** Returns a function that reads a fact about a stream; undefined until the server has answered. */
function makeReader<Value>(read: (stream_id: number) => Promise<Value>) {
  const facts = new Map<number, Fact<Value>>()
  return (stream_id: number): ReadonlySignal<Value | undefined> => {
    const fact = facts.get(stream_id) ?? { value: signal<Value | undefined>(undefined), readAt: 0 }
    facts.set(stream_id, fact)
    if (Date.now() - fact.readAt > freshMs) {
      fact.readAt = Date.now()
      read(stream_id).then(
        (value) => {
          fact.value.value = value
        },
        () => {
          fact.readAt = 0
        },
      )
    }
    return fact.value
  }
}

/** The topics of a stream, newest first. */
export const topicsOf = makeReader(async (stream_id) => {
  const { topics } = await client.streams.topics({ stream_id: stream_id as never })
  return topics.map(({ name }) => name)
})

/** Ids of the subscribers of a stream. */
export const membersOf = makeReader(async (stream_id) => {
  const { subscribers } = await client.streams.members({ stream_id: stream_id as never })
  return new Set<unknown>(subscribers)
})
