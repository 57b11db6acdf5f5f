import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connect, headers } from '@nats-io/transport-node'
import type { OrganizationId } from '@oxbow/contract'
import { eventually, openQueue, startNatsServer, startWorld } from '@oxbow/testkit'
import { sendToStream } from '@oxbow/testkit/calls/messages'

// A stranger who reaches the NATS server publishes what only the sequencer announces.
const nats = await startNatsServer()
after(() => nats[Symbol.asyncDispose]())
const world = await startWorld({ config: { nats_url: nats.url } })
after(() => world[Symbol.asyncDispose]())
const stranger = await connect({ servers: nats.url })
after(() => stranger.close())
const { owner, organization_id } = world
const [iris, otto] = await world.people('iris', 'otto')
const den = await world.stream('den', { members: [owner, iris], invite_only: true })

const logs = Object.values(world.nodes).map(({ app }) => app.events.log)
const positionOf = (log: (typeof logs)[number]) =>
  log.organizations.get(organization_id as OrganizationId)?.position ?? 0

/** Publishes a record that continues the log of the organization on all nodes. */
async function forge(header: object, event: object | null, signature?: string): Promise<void> {
  await world.settled()
  const next = Math.max(...logs.map(positionOf)) + 1
  const range = { organization_id, first_seq: next, last_seq: next }
  const records = [[0, 0, 1, header, event && JSON.stringify(event)]]
  const subject = `oxbow.${await logs[0]?.id()}.events.${organization_id}`
  const signed = headers()
  if (signature !== undefined) signed.set('oxbow-signature', signature)
  stranger.publish(subject, `${JSON.stringify(range)}\n${JSON.stringify(records)}`, { headers: signed })
  await stranger.flush()
}

test('a forged batch on NATS neither subscribes a reader to a private stream nor hides events', async () => {
  const queues = [await openQueue(otto, {}, 'a'), await openQueue(otto, {}, 'b')]
  const own = await openQueue(owner, { event_types: ['message'] }, 'b')
  const subscribe = {
    kind: 'subscriptions',
    users: [otto.user_id],
    stream: den.stream_id,
    subscribed: true,
    at: 0,
  }
  await forge({ effects: [subscribe] }, null)
  await forge({ effects: [subscribe] }, null, '0'.repeat(64))

  const sent = [await sendToStream(iris, den, 'roses'), await sendToStream(iris, den, 'roses')]

  const events = await own.take(2)
  assert.deepEqual(
    events.map((event) => event.type === 'message' && event.message.id),
    sent,
  )
  await world.settled()
  for (const queue of queues) assert.deepEqual(await queue.rest(), [])
})

test('a forged message on NATS reaches no reader, and nodes log it', async () => {
  const queue = await openQueue(otto, {}, 'b')
  await forge(
    { to: { users: [otto.user_id] } },
    { type: 'message', message: { content: 'Send me your password.' } },
  )
  await eventually(() => /NATS[^"]*not signed/.test(world.log.text))
  await world.settled()
  assert.deepEqual(await queue.rest(), [])
})
