import { readFileSync } from 'node:fs'
import { basic, createTestDatabase, eventually, metricsToken, testSecret } from '@oxbow/testkit'
import { median, print } from './figures.ts'
import { answerOf, createAccount, exit, start } from './http.ts'
import { load } from './load.ts'
import { record } from './results.ts'

const rounds = 3
const seconds = 4
const connections = 100
const port = 8593

/**
 * Measures the processor time per request with one process and with two (`oxbow serve --processes 2`),
 * including the supervisor. Returns the time with two divided by the time with one; it should be at most 1.1.
 */
export async function benchProcesses(): Promise<number> {
  await using database = await createTestDatabase()
  const env = {
    ...process.env,
    DATABASE_URL: database.url,
    OXBOW_SECRET: testSecret,
    OXBOW_RATE_LIMIT_PER_MINUTE: '0',
    OXBOW_CONNECTIONS_PER_ACCOUNT: '0',
    OXBOW_METRICS_LISTEN: 'off',
    OXBOW_METRICS_TOKEN: metricsToken,
  }
  const authorization = basic(await createAccount(database.url))
  const costs: Record<number, number[]> = { 1: [], 2: [] }
  for (let round = 1; round <= rounds; round++) {
    for (const processes of [1, 2]) {
      const cost = await measure(processes, env, authorization)
      costs[processes]?.push(cost)
      print(`round ${round}: ${processes} processes, ${cost.toFixed(1)} µs of processor time per request`)
    }
  }
  const ratio = median(costs[2] ?? []) / median(costs[1] ?? [])
  record({
    bench: 'processes',
    name: 'a request with two processes',
    value: ratio,
    unit: 'of one process',
    better: 'less',
  })
  print(`processes: two take ${ratio.toFixed(3)} of the processor time of one (at most 1.1 is wanted)`)
  return ratio
}

async function measure(processes: number, env: NodeJS.ProcessEnv, authorization: string): Promise<number> {
  const args = ['serve', '--port', String(port), '--processes', String(processes)]
  const server = start('apps/cli/bin/oxbow.js', args, env)
  const url = `http://127.0.0.1:${port}/api/v1/users/me`
  try {
    await answerOf(url, authorization)
    if (processes > 1) await waitForProcesses(processes)
    // Warms up all processes, because the first requests compile code.
    await load(url, { authorization, connections, seconds })
    const before = readProcessorSeconds(server.pid ?? 0)
    const perSecond = await load(url, { authorization, connections, seconds })
    return ((readProcessorSeconds(server.pid ?? 0) - before) / (perSecond * seconds)) * 1e6
  } finally {
    server.kill('SIGINT')
    await exit(server)
  }
}

/** Waits until all processes serve requests, so that the processor time of their start is not measured. */
async function waitForProcesses(count: number): Promise<void> {
  const headers = { authorization: `Bearer ${metricsToken}` }
  await eventually(async () => {
    const response = await fetch(`http://127.0.0.1:${port}/metrics`, { headers })
    return (await response.text()).includes(`oxbow_processes ${count}\n`)
  }, 60_000)
}

/** Returns the processor time that a process and its children have used, in seconds. */
function readProcessorSeconds(pid: number): number {
  const [, ...fields] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  // User and system time: fields 14 and 15 of the line, in hundredths of a second.
  const own = (Number(fields[10]) + Number(fields[11])) / 100
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
  return children.reduce((sum, child) => sum + readProcessorSeconds(Number(child)), own)
}
