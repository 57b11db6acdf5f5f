import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import type { Account } from '@oxbow/testkit'
import { Dice } from '@oxbow/testkit/seed'
import type { LoadStream } from './organization.ts'
import { Person, type PersonStream } from './person.ts'
import { type PhaseReport, Recorder, type Second } from './recorder.ts'
import { type Phase, type Scenario, secondsOf } from './scenario.ts'
import { round } from './statistics.ts'
import { Truth, type Verdict } from './truth.ts'

// The process that plays the people. `run.ts` starts it and sends it the task.

export interface Task {
  port: number
  scenario: Scenario
  topics: string[]
  people: Account[]
  streams: LoadStream[]
}

export interface GeneratorReport {
  phases: PhaseReport[]
  seconds: Second[]
  failures: string[]
  verdict: Verdict
  /** Events that came again or in a wrong order, and queues that ended. */
  faults: { order: number; dead: number }
  meanStateBytes: number
  /** The generator itself, while limits applied. */
  generator: { cores: number; delayP99Ms: number }
}

export type FromGenerator =
  | { type: 'phase'; phase: string }
  | { type: 'restart' }
  | { type: 'done'; report: GeneratorReport }
export type ToGenerator = { type: 'task'; task: Task } | { type: 'restarted' }

/** How long the generator waits for missing deliveries before all clients connect again, and for all of that. */
const [maxDrainMs, maxSettleMs] = [10_000, 180_000]
/** Interval of the timer that measures the event loop's delay. It is part of what is measured. */
const resolutionMs = 10

const tell = (message: FromGenerator) => process.send?.(message)

/** Waits for a message of the parent process. */
function receive<Type extends ToGenerator['type']>(
  type: Type,
): Promise<Extract<ToGenerator, { type: Type }>> {
  return new Promise((resolve) => {
    const listener = (message: ToGenerator) => {
      if (message.type !== type) return
      process.off('message', listener)
      resolve(message as Extract<ToGenerator, { type: Type }>)
    }
    process.on('message', listener)
  })
}

async function play(task: Task): Promise<GeneratorReport> {
  const { scenario } = task
  const truth = new Truth()
  const recorder = new Recorder()
  const streams: PersonStream[] = task.streams.map(({ id, members }) => ({ id, members: new Set(members) }))
  const [everyone, ...teams] = streams as [PersonStream, ...PersonStream[]]
  const around = { ...task, truth, recorder }
  const people = Array.from({ length: scenario.people }, (_, index) => {
    const own = teams.filter(({ members }) => members.has(index))
    return new Person(index, own.length > 0 ? own : [everyone], around)
  })
  const delay = monitorEventLoopDelay({ resolution: resolutionMs })
  let processorMs = 0
  let judgedMs = 0
  for (const phase of scenario.day) {
    tell({ type: 'phase', phase: phase.phase })
    recorder.startPhase(phase.phase, phase.isJudged ?? false)
    if (phase.isJudged) delay.enable()
    const [cpu, start] = [process.cpuUsage(), performance.now()]
    await playPhase(phase, { scenario, people, everyone, topics: task.topics })
    if (phase.isJudged) {
      const { user, system } = process.cpuUsage(cpu)
      processorMs += (user + system) / 1000
      judgedMs += performance.now() - start
      delay.disable()
    }
  }
  recorder.startPhase('drain', false)
  for (const person of people) person.rest()
  await drain(people, truth)
  recorder.end()
  return {
    phases: recorder.phases,
    seconds: recorder.seconds,
    failures: recorder.failures,
    verdict: truth.judge(),
    faults: recorder.faults,
    meanStateBytes: Math.round(recorder.meanStateBytes()),
    generator: {
      cores: round(processorMs / Math.max(1, judgedMs), 3),
      delayP99Ms: round(Math.max(0, delay.percentile(99) / 1e6 - resolutionMs)),
    },
  }
}

/**
 * Waits for the last answers, and for deliveries that are missing. Then every client connects again, and the server says when it has sent all
 * events of the queue. So a message that is still missing is lost, however slow the machine is.
 */
async function drain(people: readonly Person[], truth: Truth): Promise<void> {
  const settle = async () => {
    await Promise.all(people.map((person) => person.finish()))
    for (const end = performance.now() + maxDrainMs; performance.now() < end && truth.countMissing() > 0; )
      await setTimeout(500)
    if (truth.countMissing() > 0) await Promise.all(people.map((person) => person.catchUp()))
  }
  await Promise.race([settle(), setTimeout(maxSettleMs)])
}

interface Cast {
  scenario: Scenario
  people: readonly Person[]
  everyone: PersonStream
  topics: readonly string[]
}

async function playPhase(phase: Phase, { scenario, people, everyone, topics }: Cast): Promise<void> {
  const start = performance.now()
  const lengthMs = secondsOf(phase, scenario.people) * 1000
  const dice = new Dice(scenario.seed)
  const work: Promise<unknown>[] = []
  if (phase.arrivalsPerSecond)
    for (const [index, person] of people.entries())
      work.push(
        runAt(start + (index * 1000) / phase.arrivalsPerSecond, async (due) => {
          await person.arrive(due)
          person.live()
        }),
      )
  if (phase.restart) {
    tell({ type: 'restart' })
    work.push(receive('restarted'))
  }
  if (phase.announcement) {
    const { reactions } = phase.announcement
    const message = await people[0]?.announce(everyone, topics[0] ?? '')
    for (const [index, person] of people.slice(1, 1 + reactions).entries())
      work.push(runAt(start + (lengthMs * index) / reactions, (due) => person.react(message ?? 0, due)))
  }
  if (phase.everyoneLeaves)
    for (const person of people) work.push(runAt(start + dice.roll() * lengthMs, async () => person.leave()))
  await Promise.all(work)
  await setTimeout(Math.max(0, start + lengthMs - performance.now()))
}

async function runAt(due: number, work: (due: number) => Promise<void>): Promise<void> {
  await setTimeout(Math.max(0, due - performance.now()))
  await work(due)
}

const { task } = await receive('task')
tell({ type: 'done', report: await play(task) })
process.disconnect()
// People who rest still have timers.
process.exit()
