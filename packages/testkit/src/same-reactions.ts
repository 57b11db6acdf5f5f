import assert from 'node:assert/strict'
import type { MessageId, Reaction, ReactionEvent } from '@oxbow/contract'
import { applyReaction, type Client } from '@oxbow/sdk'
import { eventually } from './eventually.ts'
import { drainQueue, waitForSettledHead } from './same-state.ts'
import type { Person, World } from './world.ts'

/**
 * Asserts for every person that the reactions before the change, with the received events applied,
 * equal the reactions that are read after the change, also if all events are applied twice. Every
 * person must receive events of these messages. Returns the events by name of the person.
 */
export async function expectSameReactions(
  world: World,
  people: Readonly<Record<string, Person>>,
  messages: readonly MessageId[],
  change: () => Promise<unknown>,
): Promise<Record<string, ReactionEvent[]>> {
  const watches = Object.entries(people).map(async ([name, person]) => {
    const queue = await person.on('a').events.register({ fetch_event_types: [] })
    return { name, person, queue, before: await readReactions(person.on('b'), messages) }
  })
  const watching = await Promise.all(watches)
  await change()
  const head = await waitForSettledHead(world)
  const received: Record<string, ReactionEvent[]> = {}
  for (const { name, person, queue, before } of watching) {
    // A node that returns this position has followed the log to its head.
    await eventually(
      async () => (await person.on('b').events.register({ fetch_event_types: [] })).last_event_id >= head,
    )
    const events = (await drainQueue(person.on('b'), queue)).filter((event) => event.type === 'reaction')
    const fresh = await readReactions(person.on('a'), messages)
    const once = fold(before, events)
    const description = `${name}, after ${JSON.stringify(events)}`
    assert.deepEqual(sorted(once), sorted(fresh), description)
    assert.deepEqual(sorted(fold(once, events)), sorted(fresh), `${description}, twice`)
    received[name] = events
  }
  return received
}

type Reactions = ReadonlyMap<MessageId, readonly Reaction[]>

const fold = (reactions: Reactions, events: readonly ReactionEvent[]): Reactions =>
  new Map(
    [...reactions].map(([id, list]) => [
      id,
      events.filter(({ message_id }) => message_id === id).reduce(applyReaction, list),
    ]),
  )

async function readReactions(client: Client, ids: readonly MessageId[]): Promise<Reactions> {
  const readings = ids.map(async (id) => {
    const around = { anchor: String(id), num_before: 0, num_after: 0 }
    const { messages } = await client.messages.list({
      ...around,
      narrow: [{ operator: 'id', operand: String(id) }],
    })
    return [id, messages[0]?.reactions ?? []] as const
  })
  return new Map(await Promise.all(readings))
}

/** Sorts reactions, because the order of simultaneous reactions is not defined. */
const sorted = (reactions: Reactions) =>
  [...reactions].map(([id, list]) => [id, list.map((reaction) => JSON.stringify(reaction, null, 1)).sort()])
