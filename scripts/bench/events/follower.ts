import type { Account } from '@oxbow/testkit'
import { registerQueue } from './bench-organization.ts'

/** Arrival of an event at the client. */
export interface Arrival {
  /** Time of arrival, in milliseconds since the epoch. */
  at: number
  /** Milliseconds from the insert of the event to its arrival. */
  lag: number
}

interface BenchEvent {
  id: number
  type: string
  /** Time of the insert, in seconds since the epoch. */
  at: number
}

/**
 * Starts a client that polls and records when each event arrives. Each event contains the time of
 * its insert.
 */
export async function follow(url: string, account: Account) {
  const { queue_id, last_event_id, authorization } = await registerQueue(url, account)
  const stopping = new AbortController()
  const arrivals: Arrival[] = []
  let cursor = last_event_id

  async function poll(): Promise<void> {
    const query = `queue_id=${queue_id}&last_event_id=${cursor}`
    const options = { headers: { authorization }, signal: stopping.signal }
    const text = await (await fetch(`${url}/api/v1/events?${query}`, options)).text()
    const now = performance.timeOrigin + performance.now()
    for (const { id, type, at } of JSON.parse(text).events as BenchEvent[]) {
      cursor = id
      if (type === 'bench') arrivals.push({ at: now, lag: now - at * 1000 })
    }
  }

  const running = (async () => {
    try {
      for (;;) await poll()
    } catch (error) {
      if (!stopping.signal.aborted) throw error
    }
  })()
  return {
    arrivals,
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await running
    },
  }
}
