import { createServer } from 'node:http'
import { Session } from 'node:inspector/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'
import { type Profile, topFunctions } from './top-functions.ts'
import { type Stalls, watchLoop } from './watch-loop.ts'

// `node --import` loads this file into a measured process: our node or the bare server. It serves
// facts about the process over HTTP, and costs nothing until it gets a request.

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')
let endWatch: (() => Stalls) | undefined
const session = new Session()

const answers: Record<string, () => unknown> = {
  '/memory': () => {
    collectGarbage()
    collectGarbage()
    const { heapUsed, external, rss } = process.memoryUsage()
    return { heap: heapUsed + external, rss }
  },
  /** Returns the processor time in microseconds. */
  '/cpu': () => {
    const { user, system } = process.cpuUsage()
    return user + system
  },
  '/stalls/start': () => {
    endWatch = watchLoop()
  },
  '/stalls/stop': () => endWatch?.(),
  '/profile/start': async () => {
    session.connect()
    await session.post('Profiler.enable')
    await session.post('Profiler.start')
  },
  '/profile/stop': async () => {
    const { profile } = await session.post('Profiler.stop')
    session.disconnect()
    return topFunctions(profile as Profile)
  },
}

if (isMainThread && process.env.PROBE_PORT) {
  createServer(async (request, response) => {
    const answer = await answers[request.url ?? '']?.()
    response.end(JSON.stringify(answer ?? null))
  })
    .listen(Number(process.env.PROBE_PORT), '127.0.0.1')
    .unref()
}
