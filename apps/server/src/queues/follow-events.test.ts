import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type ClientOptions, type Followed, type FollowOptions, followEvents } from '@oxbow/sdk'
import { eventually, type NodeName, type Person, startTcpProxy, startWorld } from '@oxbow/testkit'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner, nodes } = world

const queuesOf = ({ user_id }: Person) =>
  world.database.query<{ id: string }>('select id from event_queue where user_id = $1', [user_id])

const optionsFor = (person: Person, node: NodeName = 'a'): ClientOptions => ({
  url: nodes[node].url,
  credentials: person,
})

const quick = { backoff: { firstMs: 20, maxMs: 200 } }

const nameIn = ({ state }: Followed) => state.full_name

/** Renames a user `count` times and returns the names in order. */
async function rename({ user_id }: Person, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, index) => `Name ${index} of ${user_id}`)
  for (const full_name of names) await owner.users.update({ user_id, full_name })
  return names
}

for (const transport of ['poll', 'stream'] as const) {
  const follow = (person: Person, followOptions: FollowOptions = {}, options = optionsFor(person)) =>
    followEvents(options, { transport, ...quick, ...followOptions })

  test(`${transport}: every change arrives once and in order, and the state equals that of a new register`, async () => {
    const iris = await world.person(`iris-${transport}`)
    const follower = follow(iris)
    const first = await follower.next()
    assert.equal(first.value?.kind, 'state')

    const names = await rename(iris, 20)
    const received: Followed[] = []
    while (received.length < names.length) received.push((await follower.next()).value as Followed)

    assert.deepEqual(received.map(nameIn), names)
    const { queue_id, last_event_id, ...state } = received.at(-1)?.state ?? {}
    const { queue_id: _, last_event_id: __, ...fresh } = await iris.events.register()
    assert.deepEqual(state, fresh)
    await follower.return()
  })

  test(`${transport}: a client that stops leaves neither a queue nor a listener behind`, async () => {
    const iris = await world.person(`leaving-${transport}`)
    const stopping = new AbortController()
    const follower = follow(iris, { signal: stopping.signal })
    await follower.next()
    const next = follower.next()
    const listeners = () =>
      [...nodes.a.app.events.log.organizations.values()]
        .flatMap(({ listening }) => [...listening])
        .filter(({ account }) => account.user_id === iris.user_id)
    await eventually(() => listeners().length === 1)

    stopping.abort()

    assert.equal((await next).done, true)
    // The client does not wait longer than two seconds for the deletion.
    await eventually(async () => (await queuesOf(iris)).length === 0)
    await eventually(() => listeners().length === 0)
  })

  test(`${transport}: broken connections neither lose nor repeat events`, async () => {
    const iris = await world.person(`broken-${transport}`)
    const openConnections = new Set<AbortController>()
    const breakable: typeof fetch = async (input, init) => {
      const wire = new AbortController()
      openConnections.add(wire)
      const signals = init?.signal ? [init.signal, wire.signal] : [wire.signal]
      // Alternates between the two nodes.
      nextNode = nextNode === 'a' ? 'b' : 'a'
      const url = String(input).replace(nodes.a.url, nodes[nextNode].url)
      return fetch(url, { ...init, signal: AbortSignal.any(signals) })
    }
    let nextNode: NodeName = 'a'
    const follower = follow(iris, {}, { ...optionsFor(iris), fetch: breakable })
    await follower.next()

    const received: unknown[] = []
    let [cuts, pauseMs, receivedBefore] = [0, 30, 0]
    const cut = () => {
      for (const wire of openConnections) wire.abort(new TypeError('the wire is cut'))
      openConnections.clear()
      cuts++
      // On a slow machine no response would arrive between cuts in quick succession.
      pauseMs = received.length > receivedBefore ? 30 : pauseMs * 2
      receivedBefore = received.length
      breaking = setTimeout(cut, pauseMs)
    }
    const renaming = rename(iris, 40)
    let breaking = setTimeout(cut, pauseMs)
    while (received.length < 40) received.push(nameIn((await follower.next()).value as Followed))
    clearTimeout(breaking)
    assert.ok(cuts >= 2, `${cuts} cuts`)

    assert.deepEqual(received, await renaming)
    await follower.return()
  })

  test(`${transport}: a lost queue is replaced by a new one with the current state`, async () => {
    const iris = await world.person(`lost-${transport}`)
    const follower = follow(iris)
    await follower.next()
    const next = follower.next()
    const [queue] = await queuesOf(iris)
    await iris.events.deleteQueue({ queue_id: queue?.id ?? '' })

    const again = (await next).value as Followed
    const [name] = await rename(iris, 1)
    const event = (await follower.next()).value as Followed

    assert.deepEqual([again.kind, event.kind, nameIn(event)], ['state', 'event', name])
    await follower.return()
  })

  test(`${transport}: following ends with an error if the account is deactivated or the key is revoked`, async () => {
    const cases: [end: (person: Person) => Promise<unknown>, message: string][] = [
      [({ user_id }) => owner.users.deactivate({ user_id }), 'Account is deactivated'],
      [({ users }) => users.regenerateApiKey(), 'Invalid API key'],
    ]
    for (const [index, [end, message]] of cases.entries()) {
      const iris = await world.person(`ended${index}-${transport}`)
      const follower = follow(iris)
      await follower.next()
      const next = follower.next()

      await Promise.all([assert.rejects(next, { status: 401, message }), end(iris)])

      assert.equal((await follower.next()).done, true)
    }
  })
}

test('stream: behind a proxy that buffers event streams, events arrive through polls', async () => {
  const iris = await world.person('iris-buffered')
  await using proxy = await startTcpProxy(Number(new URL(nodes.a.url).port), { buffersEventStreams: true })
  const accepted: string[] = []
  const noting: typeof fetch = (input, init) => {
    const { pathname } = new URL(String(input))
    const { accept = '' } = (init?.headers ?? {}) as Record<string, string>
    if (pathname.endsWith('/events') && init?.method === 'GET') accepted.push(accept)
    return fetch(input, init)
  }
  const options = { url: `http://127.0.0.1:${proxy.port}`, credentials: iris, fetch: noting }
  const follower = followEvents(options, { transport: 'stream', maxFirstByteMs: 300, ...quick })
  await follower.next()
  const names = await rename(iris, 3)

  const received: Followed[] = []
  while (received.length < names.length) received.push((await follower.next()).value as Followed)
  await follower.return()

  assert.deepEqual(received.map(nameIn), names)
  assert.equal(accepted[0], 'text/event-stream')
  assert.deepEqual([...new Set(accepted.slice(1))], ['application/json'])
})
