import assert from 'node:assert/strict'
import type { BrowserSession } from '../browser-session.ts'
import { type EventSource, openEventStream } from '../event-source.ts'
import { eventually } from '../eventually.ts'
import { openQueue } from '../open-queue.ts'
import { startStopwatch } from '../stopwatch.ts'
import type { NodeName } from '../test-server.ts'
import type { Person, World } from '../world.ts'

/** An account that listens for events, with an API key or a session. */
export type ListeningAccount = Person | BrowserSession

/** Waits until the node has a listener for the queue: a waiting poll or an open event stream. */
export const waitUntilListening = ({ nodes }: World, queue_id: string, node: NodeName) =>
  eventually(() =>
    [...nodes[node].app.events.log.organizations.values()].some(
      ({ queues }) => queues.get(queue_id)?.listener,
    ),
  )

export const openStream = (
  { nodes }: World,
  account: ListeningAccount,
  queue_id: string,
  node: NodeName,
): Promise<EventSource> => {
  const authentication = 'api_key' in account ? { credentials: account } : { headers: { ...account.headers } }
  return openEventStream(nodes[node].url, { ...authentication, query: { queue_id } })
}

/**
 * Starts a poll and an event stream on each node. Each promise resolves to the error that ends its
 * poll or stream, or to the events of a poll that succeeds.
 */
export async function listenEverywhere(world: World, account: ListeningAccount): Promise<Promise<unknown>[]> {
  const endings: Promise<unknown>[] = []
  for (const node of ['a', 'b'] as const) {
    const polled = await openQueue(account)
    endings.push(
      polled.poll({}, node).then(
        (events) => events,
        ({ status, body }) => ({ status, code: body.code, msg: body.msg }),
      ),
    )
    await waitUntilListening(world, polled.queue_id, node)
    const { queue_id } = await openQueue(account)
    const source = await openStream(world, account, queue_id, node)
    await waitUntilListening(world, queue_id, node)
    endings.push(readEnd(source))
  }
  return endings
}

/** Reads an event stream until the error that ends it, and returns that error. */
export async function readEnd(source: EventSource): Promise<object> {
  for (;;) {
    const event = await source.next()
    assert.ok(event, 'the event stream ended without an error')
    if (event.type !== 'error') continue
    assert.equal(await source.next(), undefined)
    const { code, msg } = JSON.parse(event.data ?? '')
    return { status: 401, code, msg }
  }
}

class LateError extends Error {}

/**
 * Awaits the outcomes, and throws `LateError` if they take a second or more of the time for which the machine
 * responds.
 */
export async function awaitWithinASecond<const Outcomes extends readonly unknown[]>(
  { database }: World,
  outcomes: Outcomes,
): Promise<{ -readonly [Index in keyof Outcomes]: Awaited<Outcomes[Index]> }> {
  await using stopwatch = startStopwatch(database)
  const values = await Promise.all(outcomes)
  const took = stopwatch.elapsedMs()
  if (took >= 1_000) throw new LateError(`it took ${took} ms`)
  return values
}

const maxAttempts = 3

/**
 * Runs an attempt that calls `awaitWithinASecond`, and repeats it at most twice if it was late. A single session
 * of a node with PostgreSQL may stand still for a second, which the stopwatch does not notice, but hardly three
 * times in a row. Other failures are not repeated. Each attempt must create new accounts.
 */
export async function repeatIfLate<Result>(attempt: (number: number) => Promise<Result>): Promise<Result> {
  for (let number = 1; ; number++) {
    try {
      return await attempt(number)
    } catch (error) {
      if (number === maxAttempts || !(error instanceof LateError)) throw error
    }
  }
}
