import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { after, test } from 'node:test'
import type { Event, UserId } from '@oxbow/contract'
import { openQueue, startWorld } from '@oxbow/testkit'
import pg from 'pg'

/**
 * The statements in the transaction of each request that changes subscriptions; the newest request
 * is last.
 */
const changes: string[][] = []
const requests = new AsyncLocalStorage<string[]>()

// The function is replaced before the nodes connect, so that all their statements are recorded.
const { query } = pg.Client.prototype
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
  recordStatement((args[0] as { text?: string }).text)
  return Reflect.apply(query, this, args)
} as typeof query

const startRecording = (message: unknown) => {
  const { method, url } = (message as { request: IncomingMessage }).request
  if (method === 'GET' || !url?.startsWith('/api/v1/users/me/subscriptions')) return
  const statements: string[] = []
  changes.push(statements)
  requests.enterWith(statements)
}
subscribe('http.server.request.start', startRecording)

function recordStatement(text: string | undefined): void {
  const statements = requests.getStore()
  // Statements before the transaction are not counted, because they depend on the cache of
  // accounts.
  if (text === 'begin') statements?.splice(0)
  if (text !== undefined) statements?.push(text)
}

const world = await startWorld({ ownServer: true })
after(async () => {
  pg.Client.prototype.query = query
  unsubscribe('http.server.request.start', startRecording)
  await world[Symbol.asyncDispose]()
})
const { owner } = world
const [iris, otto, lena] = await world.people('iris', 'otto', 'lena')

/** Twenty thousand accounts without API keys. */
const accounts = await world.database.query<{ id: UserId }>(
  `with account as (
     insert into user_account (organization_id, delivery_email, full_name, role, api_key_hash, api_key_sealed)
     select $1, 'stranger' || number || '@garden.example', 'Stranger ' || number, 400, sha256(number::text::bytea), ''
     from generate_series(1, 20000) as number
     returning organization_id, id
   ), setting as (
     insert into user_setting (organization_id, user_id) select organization_id, id from account
   ), period as (
     insert into role_period (organization_id, user_id, role, from_outbox_id, from_message_id)
     select organization_id, id, 400, nextval('outbox_id'), nextval('message_id') from account
   )
   select id from account order by id`,
  [world.organization_id],
)
const crowd = accounts.map(({ id }) => id)

const subscribeTo = (names: string[], principals: UserId[]) =>
  owner.subscriptions.subscribe({ subscriptions: names.map((name) => ({ name })), principals })
const unsubscribeFrom = (names: string[], principals: UserId[]) =>
  owner.subscriptions.unsubscribe({ subscriptions: names, principals })

/** Returns the size of the log in bytes, once all events are in it. */
async function logBytes(): Promise<number> {
  await world.settled()
  const [row] = await world.database.query<{ bytes: number }>(
    'select coalesce(sum(octet_length(records)), 0)::int as bytes from event_batch',
  )
  return row?.bytes ?? 0
}

/**
 * Subscribes ten thousand users to a stream that has ten thousand subscribers. Otto was subscribed
 * before; Lena is one of the new subscribers.
 */
async function crowdMeadow() {
  const before = [...crowd.slice(10_001), otto.user_id]
  const joining = [...crowd.slice(0, 9_999), lena.user_id]
  await subscribeTo(['meadow'], before)
  const registration = { event_types: ['subscription'] }
  const outside = await openQueue(iris, registration, 'a')
  const inside = await openQueue(otto, registration, 'b')
  const late = await openQueue(owner, registration, 'a')
  const joiner = await openQueue(lena, registration, 'b')
  const bytesBefore = await logBytes()
  const waiting = [outside.take(10_000), inside.take(10_000)]
  await subscribeTo(['meadow'], joining)
  const bytes = (await logBytes()) - bytesBefore
  const received = await Promise.all([...waiting, late.take(10_000, 'b')])
  return { before, joining, bytes, watchers: [outside, inside, late], received, late, joiner }
}

const meadow = await crowdMeadow()

test('ten thousand new subscribers of a large stream add little to the log', () => {
  assert.ok(meadow.bytes > 100_000 && meadow.bytes <= 2_000_000, `${meadow.bytes} bytes`)
})

test('every queue gets each of the ten thousand new subscribers once', async () => {
  const { stream_id } = await owner.streams.getId({ stream: 'meadow' })
  const received = meadow.joining.map((user_id) => ({
    type: 'subscription',
    op: 'peer_add',
    stream_id,
    user_id,
  }))

  for (const events of meadow.received) {
    assert.deepEqual(
      events.map(({ id: _, ...event }) => event),
      received,
    )
    assert.ok(events.every(({ id }, index) => index === 0 || id > Number(events[index - 1]?.id)))
  }
  for (const queue of meadow.watchers) assert.deepEqual(await queue.rest(), [])
})

for (const node of ['a', 'b'] as const)
  test(`a poll on node ${node} from any of the peer_add events returns the events after it`, async () => {
    const [all = []] = meadow.received
    for (const index of [0, 1_999, 4_321, 9_998]) {
      const rest: Event[] = []
      while (rest.length < all.length - index - 1) {
        const last_event_id = rest.at(-1)?.id ?? all[index]?.id ?? 0
        rest.push(...(await meadow.late.poll({ last_event_id }, node)))
      }

      assert.deepEqual(rest, all.slice(index + 1))
    }
  })

test("a new subscriber's event lists all twenty thousand subscribers", async () => {
  const [event, ...others] = await meadow.joiner.take(1)

  assert.ok(event?.type === 'subscription' && event.op === 'add')
  const everyone = [...meadow.before, ...meadow.joining].toSorted((a, b) => a - b)
  assert.equal(everyone.length, 20_000)
  assert.deepEqual(event.subscriptions[0]?.subscribers, everyone)
  assert.deepEqual([...others, ...(await meadow.joiner.rest())], [])
})

/** Returns the statements of one subscription change. */
async function statementsOf(change: Promise<unknown>): Promise<string[]> {
  await change
  return changes.at(-1) ?? []
}

test('subscribing and unsubscribing ten or five hundred users runs the same statements', async () => {
  const [ten, many] = [crowd.slice(0, 10), crowd.slice(10, 510)]
  const beds = ['herbs', 'roses']
  for (const name of beds) await world.stream(name, { members: [iris] })
  const ways = {
    'into a new stream': (people: UserId[]) => subscribeTo([`new for ${people.length}`], people),
    in: (people: UserId[]) => subscribeTo(beds, people),
    out: (people: UserId[]) => unsubscribeFrom(beds, people),
    'in again': (people: UserId[]) => subscribeTo(beds, people),
  }

  for (const [way, change] of Object.entries(ways)) {
    const forTen = await statementsOf(change(ten))
    const forMany = await statementsOf(change(many))

    assert.ok(
      forTen.some((text) => /(insert into|update) subscription_period/.test(text)),
      way,
    )
    assert.deepEqual(forMany, forTen, way)
  }
})
