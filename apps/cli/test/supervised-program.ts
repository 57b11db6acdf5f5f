import { setTimeout } from 'node:timers/promises'
import type { Node } from '@oxbow/server'
import { ServedProcess } from '../src/processes/served-process.ts'

// A process of a supervisor, without a server. `PROGRAM_OF_TEST` names what it does.
const served = new ServedProcess()
const node = { url: 'http://127.0.0.1:1', stop: async () => {} } as Node

switch (process.env.PROGRAM_OF_TEST) {
  case 'serve':
    served.ready(node, 0)
    break
  case 'start forever':
    await setTimeout(600_000)
}
