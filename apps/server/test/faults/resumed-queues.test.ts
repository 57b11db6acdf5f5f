import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '@oxbow/contract'
import {
  createBrowserClient,
  type Followed,
  type FollowOptions,
  followEventsInBrowser,
  type State,
} from '@oxbow/sdk/browser'
import { addUserByOperator } from '@oxbow/server'
import {
  createGarden,
  createTestDatabase,
  eventually,
  hasFakeClock,
  makeFakeClock,
  startNodeProcess,
  startPostgresServer,
  startTcpProxy,
  withApp,
} from '@oxbow/testkit'
import { bySize } from '@oxbow/testkit/size'
import pg from 'pg'

const eventsPerStep = bySize({ gate: 5, long: 50 })
const longLived = { queue_lifespan_secs: 604_800 }

const populate = (database_url: string) =>
  withApp(database_url, async (app) => {
    const owner = await createGarden(app)
    const account = {
      subdomain: '',
      email: 'iris@garden.example',
      full_name: 'Iris',
      role: 'member',
    } as const
    return { owner, iris: await addUserByOperator(app, account) }
  })

/** A client that can be reloaded: it keeps its last state only as JSON. */
class ReloadingClient {
  readonly contents: string[] = []
  states = 0
  kept: State | undefined
  readonly #follow: (options: FollowOptions) => ReturnType<typeof followEventsInBrowser>

  constructor(url: string, { email, api_key }: { email: string; api_key: string }, settings: FollowOptions) {
    const options = { url, credentials: { email, api_key } }
    const usual = { backoff: { firstMs: 20, maxMs: 200 }, keepsQueue: true, ...settings }
    this.#follow = (more) => followEventsInBrowser(options, { ...usual, ...more })
  }

  /**
   * Follows events until `isEnough` returns true for their number. Calls `fault` after half of
   * `eventsPerStep` events.
   */
  async follow(
    isEnough: (received: number) => boolean,
    fault?: (follower: { reconnect(): void }) => unknown,
  ) {
    const resume = this.kept && (JSON.parse(JSON.stringify(this.kept)) as State)
    await using follower = this.#follow(resume ? { resume } : {})
    let received = 0
    for await (const followed of follower) {
      this.#take(followed)
      if (followed.kind === 'event') received++
      if (followed.kind === 'event' && received === Math.ceil(eventsPerStep / 2)) await fault?.(follower)
      if (isEnough(received)) return
    }
  }

  #take(followed: Followed): void {
    this.kept = followed.state
    if (followed.kind === 'state') this.states++
    else if (followed.event.type === 'message') this.contents.push(contentOf(followed.event))
  }
}

/** Follows until the client has the newest message, unless it has it already: then no event would follow. */
async function untilNewest(client: ReloadingClient, sent: readonly string[]): Promise<void> {
  const isComplete = () => client.contents.at(-1) === sent.at(-1)
  if (!isComplete()) await client.follow(isComplete)
}

const contentOf = (event: Extract<Event, { type: 'message' }>): string => event.message.content
const step = (received: number) => received >= eventsPerStep
const withoutQueue = ({ queue_id, last_event_id, ...state }: State) => state

const transports = ['stream', 'poll'] as const

for (const transport of transports.slice(0, bySize({ gate: 1, long: 2 }))) {
  test(`${transport}: a queue is resumed exactly after reloads, a change of node, and a killed node`, async () => {
    await using database = await createTestDatabase()
    const database_url = database.url
    const { owner, iris } = await populate(database_url)
    await using dying = await startNodeProcess({ database_url })
    await using lasting = await startNodeProcess({ database_url })
    await using proxy = await startTcpProxy(dying.port)
    const registration = { ...longLived, fetch_event_types: ['message', 'subscription', 'realm_user'] }
    const settings = { registration, transport, maxFirstByteMs: 60_000 }
    const client = new ReloadingClient(`http://127.0.0.1:${proxy.port}`, iris, settings)
    const sender = createBrowserClient({ url: lasting.url, credentials: owner })
    const fresh = createBrowserClient({ url: lasting.url, credentials: iris })
    await sender.subscriptions.subscribe({
      subscriptions: [{ name: 'general' }],
      principals: [iris.user_id as never],
    })
    const sent: string[] = []
    let isSending = true
    const sending = (async () => {
      while (isSending) {
        const content = `Message ${sent.length + 1}`
        await sender.messages.send({ type: 'stream', to: 'general', topic: 'roses', content })
        sent.push(content)
      }
    })()
    try {
      await client.follow(step)
      // Reloads the client and moves it to another node between two requests.
      await client.follow(step, () => proxy.pointTo(lasting.port))
      proxy.pointTo(dying.port)
      await client.follow(step, async (follower) => {
        dying.signal('SIGKILL')
        await dying.exited
        proxy.pointTo(lasting.port)
        follower.reconnect()
      })
    } finally {
      isSending = false
      await sending
    }
    await untilNewest(client, sent)

    assert.deepEqual(client.contents, sent.slice(sent.indexOf(client.contents[0] ?? '')))
    assert.equal(client.states, 1)
    const state = await fresh.events.register(registration)
    assert.deepEqual(withoutQueue(client.kept as State), withoutQueue(state))
  })
}

test('a queue is resumed exactly after a pause of 24 hours, in which shorter queues expire', {
  skip:
    (bySize({ gate: true, long: false }) && 'part of the long lane') ||
    (!hasFakeClock && 'libfaketime is not installed'),
}, async () => {
  using clock = makeFakeClock()
  await using postgres = await startPostgresServer({ database: 'oxbow', env: clock.env })
  const database_url = postgres.url('oxbow')
  const { owner, iris } = await populate(database_url)
  const { env } = clock
  await using before = await startNodeProcess({ database_url, env })
  const { url, port } = before
  const sender = createBrowserClient({ url, credentials: owner })
  await sender.subscriptions.subscribe({
    subscriptions: [{ name: 'general' }],
    principals: [iris.user_id as never],
  })
  const registration = { fetch_event_types: ['message'] }
  const patient = new ReloadingClient(url, iris, { registration: { ...registration, ...longLived } })
  const usual = new ReloadingClient(url, iris, { registration })
  const sent: string[] = []
  const send = async (count: number) => {
    for (let left = count; left > 0; left--) {
      const content = `Message ${sent.length + 1}`
      await sender.messages.send({ type: 'stream', to: 'general', topic: 'roses', content })
      sent.push(content)
    }
  }
  const untilState = (client: ReloadingClient) => client.follow(() => true)
  await untilState(patient)
  await untilState(usual)
  await send(5)
  await untilNewest(patient, sent)
  await untilNewest(usual, sent)

  await send(5)
  // A node measures the time since it last served a queue with a monotonic clock, which a test
  // cannot set, so the node is restarted.
  before.signal('SIGTERM')
  await before.exited
  clock.set('+24h')
  await using _after = await startNodeProcess({ database_url, env, port })
  await send(5)
  const pool = new pg.Pool({ connectionString: database_url })
  try {
    const { rows } = await pool.query('select now() as now')
    assert.ok(rows[0].now.getTime() > Date.now() + 23 * 3_600_000, 'the clock of PostgreSQL is not ahead')
    const remaining = async () => (await pool.query('select id from event_queue')).rows.map(({ id }) => id)
    await eventually(async () => !(await remaining()).includes(usual.kept?.queue_id), 300_000)
    assert.deepEqual(await remaining(), [patient.kept?.queue_id])
  } finally {
    await pool.end()
  }
  await untilNewest(patient, sent)
  await untilState(usual)

  assert.deepEqual(patient.contents, sent)
  assert.deepEqual([patient.states, usual.states], [1, 2])
})
