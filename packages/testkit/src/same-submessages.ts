import assert from 'node:assert/strict'
import type { MessageId, Submessage, SubmessageEvent } from '@oxbow/contract'
import { applySubmessage, type Client, readWidget } from '@oxbow/sdk'
import { eventually } from './eventually.ts'
import { drainQueue, waitForSettledHead } from './same-state.ts'
import type { Person, World } from './world.ts'

/**
 * Asserts for every person that the submessages before the change, with the received events
 * applied, equal those that are read after the change, also if all events are applied twice, and
 * that all people see the same widget. Returns the events by name of the person.
 */
export async function expectSameSubmessages(
  world: World,
  people: Readonly<Record<string, Person>>,
  id: MessageId,
  change: () => Promise<unknown>,
): Promise<Record<string, SubmessageEvent[]>> {
  const watching = await Promise.all(
    Object.entries(people).map(async ([name, person]) => {
      const queue = await person
        .on('a')
        .events.register({ event_types: ['submessage'], fetch_event_types: [] })
      return { name, person, queue, before: await read(person.on('b'), id) }
    }),
  )
  await change()
  const head = await waitForSettledHead(world)
  const received: Record<string, SubmessageEvent[]> = {}
  const widgets = new Set<string>()
  for (const { name, person, queue, before } of watching) {
    await eventually(
      async () => (await person.on('b').events.register({ fetch_event_types: [] })).last_event_id >= head,
    )
    const events = (await drainQueue(person.on('b'), queue)).filter((event) => event.type === 'submessage')
    const fresh = await read(person.on('a'), id)
    const once = events.reduce(applySubmessage, before.submessages as readonly Submessage[])
    assert.deepEqual(once, fresh.submessages, name)
    assert.deepEqual(events.reduce(applySubmessage, once), fresh.submessages, `${name}, twice`)
    widgets.add(JSON.stringify(readWidget(fresh)))
    received[name] = events
  }
  assert.equal(widgets.size, 1)
  return received
}

async function read(client: Client, message_id: MessageId) {
  const { sender_id, submessages } = (await client.messages.getRaw({ message_id })).message
  return { sender_id, submessages }
}
