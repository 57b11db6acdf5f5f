import { fork } from 'node:child_process'
import { join } from 'node:path'
import { startNodeProcess } from '@oxbow/testkit'
import { print } from '../bench/figures.ts'
import { makeProbe } from '../bench/probe/ask-probe.ts'
import type { Result } from '../bench/results.ts'
import type { FromGenerator, GeneratorReport, Task, ToGenerator } from './generator.ts'
import { isGeneratorValid, type JudgedLimit, judgeLimits } from './limits.ts'
import { type Noise, startNoiseWatch } from './machine.ts'
import { openOrganization, topics } from './organization.ts'
import { type Scenario, secondsOf } from './scenario.ts'
import { round } from './statistics.ts'
import {
  coresBetween,
  readMetrics,
  readStatements,
  type Sample,
  type StatementCost,
  startCountingStatements,
  Watch,
} from './watch.ts'

export interface RunOptions {
  /** The program of the node; by default that of the sources. */
  program?: string | undefined
  /** Whether to list the node's functions that take most processor time in judged phases. */
  isProfiled?: boolean
}

interface PhaseCost {
  phase: string
  /** Processors in use. */
  node: number
  postgres: number
}

export interface Run {
  scenario: Scenario
  report: GeneratorReport
  samples: Sample[]
  costs: PhaseCost[]
  limits: JudgedLimit[]
  /** Whether all limits were kept. */
  isPassed: boolean
  /** Whether the generator was fast enough. */
  isValid: boolean
  noise: Noise
  /** Empty if PostgreSQL has no pg_stat_statements. */
  statements: StatementCost[]
  metrics: Record<string, number>
  functions: string[]
  results: Result[]
}

/** Time beyond the phases after which a run is stopped. */
const spareMs = 240_000

/** Plays a scenario against a node of its own, and measures both. */
export async function runScenario(
  scenario: Scenario,
  { program, isProfiled = false }: RunOptions = {},
): Promise<Run> {
  await using organization = await openOrganization(scenario)
  const endNoiseWatch = startNoiseWatch()
  const probe = isProfiled ? await makeProbe() : undefined
  const start = (port?: number) =>
    startNodeProcess({
      database_url: organization.database_url,
      program,
      ...(port && { port }),
      ...(probe && { env: probe.env }),
    })
  let node = await start()
  const watch = new Watch(() => node, organization.session)
  try {
    const counts = await startCountingStatements(organization.session)
    await watch.sample()
    const task: Task = {
      port: node.port,
      scenario,
      topics,
      people: organization.people,
      streams: organization.streams,
    }
    const judged = new Set(scenario.day.filter(({ isJudged }) => isJudged).map(({ phase }) => phase))
    let isProfiling = false
    let functions: string[] = []
    const report = await generate(task, {
      phase: async (phase) => {
        print(`${new Date().toISOString().slice(11, 19)}  ${phase}`)
        if (probe && judged.has(phase) && !isProfiling) await probe.startProfile()
        else if (probe && isProfiling && !judged.has(phase)) functions = await probe.stopProfile()
        isProfiling = judged.has(phase)
      },
      restart: async () => {
        watch.noteEnd()
        node.signal('SIGTERM')
        await node.exited
        node = await start(node.port)
      },
    })
    if (probe && isProfiling) functions = await probe.stopProfile()
    await watch.sample()
    const costs = report.phases.map(({ phase, startedAt, endedAt }) => ({
      phase,
      ...coresBetween(watch.samples, startedAt, endedAt),
    }))
    const limits = judgeLimits(scenario, report)
    return {
      scenario,
      report,
      samples: watch.samples,
      costs,
      limits,
      isPassed: limits.every(({ isKept }) => isKept),
      isValid: isGeneratorValid(report),
      statements: counts ? await readStatements(organization.session) : [],
      metrics: await readMetrics(node),
      noise: endNoiseWatch(),
      functions,
      results: listResults(scenario, report, costs),
    }
  } finally {
    watch.stop()
    await node[Symbol.asyncDispose]()
  }
}

interface Stage {
  phase(phase: string): Promise<void>
  restart(): Promise<void>
}

/** Has a process of its own play the people, and stops it when it takes too long. */
function generate(task: Task, stage: Stage): Promise<GeneratorReport> {
  const { scenario } = task
  const expectedMs = scenario.day.reduce((sum, phase) => sum + secondsOf(phase, scenario.people), 0) * 1000
  const child = fork(join(import.meta.dirname, 'generator.ts'), { serialization: 'advanced' })
  const deadline = setTimeout(() => child.kill('SIGKILL'), expectedMs + spareMs)
  const stopChild = () => child.kill('SIGKILL')
  process.on('exit', stopChild)
  return new Promise<GeneratorReport>((resolve, reject) => {
    child.on('message', async (message: FromGenerator) => {
      try {
        if (message.type === 'phase') await stage.phase(message.phase)
        else if (message.type === 'restart') {
          await stage.restart()
          child.send({ type: 'restarted' } satisfies ToGenerator)
        } else resolve(message.report)
      } catch (error) {
        reject(error)
      }
    })
    child.on('exit', (code) => reject(new Error(`the generator ended with ${code} before its report`)))
    child.send({ type: 'task', task } satisfies ToGenerator)
  }).finally(() => {
    clearTimeout(deadline)
    process.off('exit', stopChild)
    stopChild()
  })
}

/** Figures that `--compare` compares: those of the judged phases. */
function listResults(scenario: Scenario, report: GeneratorReport, costs: readonly PhaseCost[]): Result[] {
  const make = (name: string, value: number, unit: string): Result => ({
    bench: scenario.name,
    name,
    count: scenario.people,
    value: round(value, 3),
    unit,
    better: 'less',
  })
  return report.phases
    .filter(({ isJudged }) => isJudged)
    .flatMap(({ phase, lag, kinds, actions, startedAt, endedAt }) => {
      const cost = costs.find((each) => each.phase === phase)
      const perAction = (cores = 0) => (cores * (endedAt - startedAt)) / Math.max(1, actions)
      return [
        make(`${phase}: lag, median`, lag.median, 'ms'),
        make(`${phase}: lag, p99`, lag.p99, 'ms'),
        make(`${phase}: page, p99`, kinds.page?.p99 ?? 0, 'ms'),
        make(`${phase}: send, p99`, kinds.send?.p99 ?? 0, 'ms'),
        make(`${phase}: an action, node`, perAction(cost?.node), 'ms of processor'),
        make(`${phase}: an action, PostgreSQL`, perAction(cost?.postgres), 'ms of processor'),
      ]
    })
}
