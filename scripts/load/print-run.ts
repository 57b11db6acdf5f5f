import { print, printTable } from '../bench/figures.ts'
import type { Run } from './run.ts'
import { round } from './statistics.ts'

/** Number of statements and functions that are printed. */
const maxLines = 15

/** Prints the outcome of a run. */
export function printRun(run: Run): void {
  const { report, costs, limits, noise, scenario } = run
  for (const phase of report.phases) {
    const seconds = (phase.endedAt - phase.startedAt) / 1000
    const cost = costs.find((each) => each.phase === phase.phase)
    print(
      `\n${phase.phase}: ${round(phase.actions / seconds)} actions, ${round(phase.sends / seconds, 2)} sends and ` +
        `${round(phase.lag.count / seconds)} deliveries a second, node ${cost?.node}, PostgreSQL ${cost?.postgres} ` +
        `processors, ${phase.errors} errors, ${phase.retries} retries`,
    )
    printTable(
      Object.entries({ lag: phase.lag, ...phase.kinds }).map(([kind, times]) => ({
        label: `  ${kind}`,
        measured: `median ${times.median}  p99 ${times.p99}  p99.9 ${times.p999}  max ${times.max} ms`,
        wanted: `of ${times.count}`,
      })),
    )
  }
  print('')
  const planning = sum(run.statements.map((each) => each.planning))
  const execution = sum(run.statements.map((each) => each.execution))
  printTable([
    ...limits.map(({ name, limit, measured, isKept }) => ({
      label: name,
      measured: String(measured),
      wanted: `at most ${limit}${isKept ? '' : ': EXCEEDED'}`,
    })),
    { label: 'deliveries', measured: String(report.verdict.deliveries) },
    { label: 'state of a registration', measured: `${round(report.meanStateBytes / 1000)} KB` },
    { label: 'memory of the node', measured: `${run.samples.at(-1)?.nodeMb} MB` },
    ...(run.statements.length > 0
      ? [{ label: 'statements', measured: `${planning} ms planning, ${execution} ms execution` }]
      : []),
    {
      label: 'generator',
      measured: `${report.generator.cores} processors, delay p99 ${report.generator.delayP99Ms} ms`,
      wanted: run.isValid ? '' : 'TOO BUSY: the run is not valid',
    },
    {
      label: 'machine',
      measured: `load ${noise.load.join(' to ')}, steal ${noise.steal}, calibration ${noise.calibrationMs.join(' to ')} ms`,
      wanted: noise.isNoisy ? 'NOISY' : '',
    },
  ])
  for (const failure of report.failures) print(`failed: ${failure}`)
  for (const { text, calls, planning, execution } of run.statements.slice(0, maxLines))
    print(`${String(calls).padStart(8)} × ${planning} + ${execution} ms  ${text.slice(0, 120)}`)
  for (const line of run.functions.slice(0, maxLines)) print(line)
  print(`\n${scenario.name}, ${scenario.people} people: ${run.isPassed ? 'passed' : 'FAILED'}`)
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
