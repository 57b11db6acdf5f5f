import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../observe/log.ts'
import { connectionOptions } from './database.ts'
import { explainUnavailability } from './database-unavailable.ts'

const pauseMs = 500

/**
 * Waits until PostgreSQL accepts connections, because it may be started at the same time as this node.
 * Returns the milliseconds it waited; after `maxMs` it returns without an error, because the next use of the
 * database reports the problem.
 */
export async function waitForDatabase(url: string, maxMs: number, log: Log): Promise<number> {
  const begunAt = performance.now()
  for (let isFirst = true; ; isFirst = false) {
    const error = await tryToConnect(url)
    const waited = performance.now() - begunAt
    if (!explainUnavailability(error)?.isOutage || waited + pauseMs > maxMs) return waited
    if (isFirst) log.warn({ err: error, wait_seconds: maxMs / 1000 }, 'PostgreSQL cannot be reached yet')
    await setTimeout(pauseMs)
  }
}

async function tryToConnect(url: string): Promise<unknown> {
  const client = new pg.Client({ ...connectionOptions(url), connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  return client.connect().then(
    () => void client.end().catch(() => {}),
    (error: unknown) => error,
  )
}
