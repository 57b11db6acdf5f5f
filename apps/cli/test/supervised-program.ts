import { setTimeout } from 'node:timers/promises'
import type { Node } from '@oxbow/server'
import { ServedProcess } from '../src/processes/served-process.ts'

// Runs as a process of a supervisor, without a server. `PROGRAM_OF_TEST` selects its behaviour.
const served = new ServedProcess()
const node = {
  url: 'http://127.0.0.1:1',
  app: {
    metrics: { registry: { metrics: () => Promise.reject(new Error('these metrics cannot be read')) } },
    log: { error: () => {} },
  },
  stop: async () => {},
} as unknown as Node

switch (process.env.PROGRAM_OF_TEST) {
  case 'serve':
    served.ready(node, 0)
    break
  case 'start forever':
    await setTimeout(600_000)
    break
  case 'crash':
    await crash()
    break
  case 'start slowly and crash':
    await setTimeout(900)
    await crash()
}

/** Ends soon after the supervisor was told that requests are served. */
async function crash(): Promise<void> {
  served.ready(node, 0)
  await setTimeout(20)
  process.exit(1)
}
