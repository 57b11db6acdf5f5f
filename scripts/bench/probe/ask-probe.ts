import { join } from 'node:path'
import { freePort } from '@oxbow/testkit'
import type { Stalls } from './watch-loop.ts'

export interface Memory {
  /** Bytes of the heap and of external memory after a garbage collection. */
  heap: number
  rss: number
}

/** Client of `probe.ts` in a measured process. */
export interface Probe {
  /** Environment variables with which the measured process must be started. */
  env: Record<string, string>
  memory(): Promise<Memory>
  /** Returns the processor time so far, in milliseconds. */
  cpu(): Promise<number>
  startWatch(): Promise<void>
  stopWatch(): Promise<Stalls>
  startProfile(): Promise<void>
  /** Ends the profile and returns the functions that took most processor time. */
  stopProfile(): Promise<string[]>
}

export async function makeProbe(): Promise<Probe> {
  const port = await freePort()
  const ask = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).json()
  return {
    env: {
      PROBE_PORT: String(port),
      NODE_OPTIONS: `--import ${join(import.meta.dirname, 'probe.ts')}`,
    },
    memory: () => ask('/memory') as Promise<Memory>,
    cpu: async () => ((await ask('/cpu')) as number) / 1000,
    startWatch: async () => void (await ask('/stalls/start')),
    stopWatch: () => ask('/stalls/stop') as Promise<Stalls>,
    startProfile: async () => void (await ask('/profile/start')),
    stopProfile: () => ask('/profile/stop') as Promise<string[]>,
  }
}
