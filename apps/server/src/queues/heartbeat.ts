import { randomInt } from 'node:crypto'

/** Drawn for each poll, in whole seconds, so that polls do not wake in step and timers of the same length share a list. */
export function heartbeatDelay(): number {
  return (45 + randomInt(11)) * 1_000
}

/** A client that asks for silence by its name. */
export function isExemptFromHeartbeats(client: string): boolean {
  return client === 'API: heartbeat test'
}
