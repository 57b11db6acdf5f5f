import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { ApiError } from '@oxbow/contract'
import { type Config, loadConfig, startNode } from '@oxbow/server'
import { patientLimits, readProcessorSeconds } from '@oxbow/testkit'
import { routes } from '../../src/features.ts'

// A node in a process of its own, whose processor time a test measures. `startMeasuredNode` starts it, with its
// settings as JSON in the first argument.

export type Order =
  /** Whether all actions refuse at once, so that a request costs only its reading and decoding. */
  { refuses: boolean } | 'begin' | 'end' | 'calibrate'

export interface Usage {
  /** Milliseconds of processor time of all threads, and of the process that decodes pictures. */
  processorMs: number
  /** Milliseconds of processor time for which the main thread did not return to the event loop. */
  longestBlockMs: number
  /** Growth of the largest resident memory in megabytes. */
  grownMb: number
}

let refusesAll = false

for (const group of Object.values(routes as Record<string, Record<string, Action>>))
  for (const [name, action] of Object.entries(group))
    group[name] = (...request) => {
      if (refusesAll) return Promise.reject(new ApiError('NOT_AUTHORIZED_FOR_QUERY'))
      return action(...request)
    }

type Action = (...request: unknown[]) => Promise<object>

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function readProcessorMs(): number {
  const { user, system } = process.cpuUsage()
  const children = readdirSync('/proc/self/task').flatMap((thread) =>
    readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
  )
  const seconds = children.map((pid) => readProcessorSeconds(Number(pid)))
  return (user + system) / 1_000 + 1_000 * seconds.reduce((sum, time) => sum + time, 0)
}

function readThreadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

let lastTurnMs = 0
let longestBlockMs = 0

function endTurn(): void {
  const nowMs = readThreadMs()
  longestBlockMs = Math.max(longestBlockMs, nowMs - lastTurnMs)
  lastTurnMs = nowMs
}

setInterval(endTurn, 5).unref()

/** Returns the largest resident memory since the last call, in megabytes. */
function takePeakMb(): number {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  writeFileSync('/proc/self/clear_refs', '5')
  return Number(kilobytes) / 1_000
}

let before = { processorMs: 0, memoryMb: 0 }

/** Begins a measurement. The garbage of earlier requests must not be collected during it. */
function begin(): void {
  collectGarbage()
  lastTurnMs = readThreadMs()
  longestBlockMs = 0
  takePeakMb()
  before = { processorMs: readProcessorMs(), memoryMb: process.memoryUsage.rss() / 1e6 }
}

function end(): Usage {
  const processorMs = readProcessorMs() - before.processorMs
  endTurn()
  return { processorMs, longestBlockMs, grownMb: takePeakMb() - before.memoryMb }
}

const sample = JSON.stringify(
  Array.from({ length: 2_000 }, (_, id) => ({ id, text: `A rose "${id}" & a tulip <b>` })),
)

/** Does a fixed amount of work like that of requests: it parses, searches, replaces and serializes texts. */
function work(): Usage {
  begin()
  for (let round = 0; round < 8; round++) {
    const rows = JSON.parse(sample) as { id: number; text: string }[]
    JSON.stringify(
      rows.map(({ id, text }) => ({ id, html: text.replace(/[&<>"]/g, (it) => `&#${it.charCodeAt(0)};`) })),
    )
  }
  return end()
}

function obey(order: Order): Usage | undefined {
  if (order === 'end') return end()
  if (order === 'calibrate') return work()
  if (order === 'begin') begin()
  else refusesAll = order.refuses
  return undefined
}

const { config } = loadConfig(JSON.parse(process.argv[2] ?? '{}') as Partial<Config>, {})
const node = await startNode(config, { checked: false, passwordCost: 'cheap', ...patientLimits })
process.on('message', (order: Order) => process.send?.({ usage: obey(order) }))
process.on('disconnect', () => process.exit())
process.send?.({ url: node.url })
