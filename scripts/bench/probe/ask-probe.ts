import { join } from 'node:path'
import { freePort } from '@oxbow/testkit'
import type { Stalls } from './watch-loop.ts'

export interface Memory {
  /** The heap and what it holds outside, after a collection, in bytes. */
  heap: number
  rss: number
}

/** Asks what probe.ts answers. */
export interface Probe {
  /** For the process that is to be asked. */
  env: Record<string, string>
  memory(): Promise<Memory>
  /** Time on a processor so far, in milliseconds. */
  cpu(): Promise<number>
  startWatch(): Promise<void>
  stopWatch(): Promise<Stalls>
  startProfile(): Promise<void>
  /** The functions that took most. */
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
