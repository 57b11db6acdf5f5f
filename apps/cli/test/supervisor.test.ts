import assert from 'node:assert/strict'
import cluster, { type Worker } from 'node:cluster'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { eventually } from '@oxbow/testkit'
import { MetricsCollector } from '../src/processes/collect-metrics.ts'
import { type Supervision, Supervisor } from '../src/processes/supervisor.ts'

interface Line {
  level: string
  message: string
  atMs: number
}

/** Lets processes that are started from now on run `supervised-program.ts`, which does what `name` says. */
function setProgram(name: string): void {
  process.env.PROGRAM_OF_TEST = name
  const exec = join(import.meta.dirname, 'supervised-program.ts')
  cluster.setupPrimary({ exec, args: [], execArgv: [] })
}

/** Lists the processes that run, in the order of their start. */
const listWorkers = (): Worker[] =>
  Object.values(cluster.workers ?? {}).flatMap((worker) => (worker && !worker.isDead() ? worker : []))

/** Creates a supervisor in this process. It and its processes end with the test. */
function makeSupervisor(program: string, options: Partial<Supervision> = {}) {
  setProgram(program)
  const lines: Line[] = []
  const supervisor = new Supervisor({
    count: 1,
    drainMs: 0,
    report: (level, _fields, message) => lines.push({ level, message, atMs: performance.now() }),
    ...options,
  })
  return {
    supervisor,
    lines,
    has: (text: string) => lines.some(({ message }) => message.includes(text)),
    async [Symbol.asyncDispose]() {
      supervisor.isStopping = true
      supervisor.kill()
      await eventually(() => listWorkers().length === 0)
      cluster.removeAllListeners('message')
    },
  }
}

/** Kills a process, and returns when it has closed its files, before this process can learn of it. */
function killNow({ process: { pid = 0 } }: Worker): void {
  process.kill(pid, 'SIGKILL')
  const hasEnded = () =>
    / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')) && readdirSync(`/proc/${pid}/task`).length === 1
  while (!hasEnded());
}

test('a process that dies while node:cluster sends to it is replaced', async () => {
  await using supervised = makeSupervisor('serve')
  await supervised.supervisor.start()
  const [worker] = listWorkers() as [Worker]
  killNow(worker)
  // node:cluster gives connections to processes in this way, without a callback.
  worker.send('a connection')
  await eventually(() => supervised.has('process 1 could not be reached'))
  await eventually(() => supervised.has('process 1 ended by SIGKILL; it is replaced'))
  const [next] = await eventually(() => listWorkers().some(({ id }) => id !== worker.id) && listWorkers())
  assert.notEqual(next?.process.pid, worker.process.pid)
})

test('a supervisor stops although a process dies while node:cluster sends to it', async () => {
  await using supervised = makeSupervisor('serve')
  await supervised.supervisor.start()
  const [worker] = listWorkers() as [Worker]
  killNow(worker)
  const stopped = supervised.supervisor.stop(0)
  worker.send('a connection')
  await stopped
})

test('metrics do not wait for a process that has just died', async () => {
  await using supervised = makeSupervisor('serve')
  await supervised.supervisor.start()
  const [worker] = listWorkers() as [Worker]
  killNow(worker)
  const own = '# HELP own Own.\n# TYPE own gauge\nown 1'
  // A collector that waited for the process would exceed the time limit of tests.
  const collector = new MetricsCollector(2_000_000)
  assert.match(await collector.collect([worker], own), /^own 1$/m)
  assert.ok(!supervised.has('could not be reached'))
})

test('a start whose process cannot be created fails with the reason', async () => {
  await using supervised = makeSupervisor('serve')
  cluster.setupPrimary({ cwd: '/folder/that/does/not/exist' })
  try {
    await assert.rejects(supervised.supervisor.start(), /process 1 of 1 could not be created: .*ENOENT/)
  } finally {
    cluster.setupPrimary({ cwd: process.cwd() })
  }
})

test('a stop during a rolling restart reports no failure', async () => {
  await using supervised = makeSupervisor('serve', { count: 2 })
  const { supervisor, lines } = supervised
  await supervisor.start()
  setProgram('start forever')
  const restarted = supervisor.restart()
  await eventually(() => listWorkers().length === 3)
  await supervisor.stop(0)
  await restarted
  assert.deepEqual(
    lines.map(({ message }) => message),
    ['a rolling restart begins'],
  )
})

/** Waits until processes have ended by themselves `count` times. Returns the milliseconds between them. */
async function measurePauses(lines: readonly Line[], count: number): Promise<number[]> {
  const ends = await eventually(() => {
    const found = lines.filter(({ message }) => message.endsWith('it is replaced'))
    return found.length >= count && found
  })
  return ends.slice(1).map(({ atMs }, index) => atMs - (ends[index]?.atMs ?? 0))
}

test('a process that crashes again and again is replaced after pauses that double', async () => {
  await using supervised = makeSupervisor('crash')
  await supervised.supervisor.start()
  const [first = 0, second = 0] = await measurePauses(supervised.lines, 3)
  // Timers may be a millisecond early.
  assert.ok(first >= 995 && second >= 1_995, `the pauses were ${first} and ${second} ms`)
})

test('a process that crashes after a slow start is replaced after a pause', async () => {
  await using supervised = makeSupervisor('start slowly and crash', { minRunMs: 700 })
  await supervised.supervisor.start()
  const [pause = 0] = await measurePauses(supervised.lines, 2)
  // The pause is one second, and the start of the new process takes 0.9.
  assert.ok(pause >= 1_890, `the pause was ${pause} ms`)
})

test('a restart that is wanted during the start follows it', async () => {
  await using supervised = makeSupervisor('serve', { count: 2 })
  const { supervisor, lines } = supervised
  const started = supervisor.start()
  const restarted = supervisor.restart()
  await setImmediate()
  // The first process starts alone, because it may have to create the tables.
  assert.equal(listWorkers().length, 1)
  await started
  const ids = listWorkers().map(({ id }) => id)
  await restarted
  assert.equal(lines.at(-1)?.message, 'the rolling restart is done')
  assert.equal(listWorkers().filter(({ id }) => ids.slice(0, 2).includes(id)).length, 0)
  assert.equal(listWorkers().length, 2)
})

test('a process whose metrics cannot be read answers with an empty text and continues', async () => {
  await using supervised = makeSupervisor('serve')
  await supervised.supervisor.start()
  const [worker] = listWorkers() as [Worker]
  const answers: unknown[] = []
  worker.on('message', (message) => answers.push(message))
  for (const id of [1, 2]) {
    worker.send({ type: 'metrics wanted', id })
    await eventually(() => answers.length === id)
  }
  assert.deepEqual(answers.at(-1), { type: 'metrics', id: 2, text: '' })
})
