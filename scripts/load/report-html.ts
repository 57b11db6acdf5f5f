import { drawPlot } from '../bench/draw-plot.ts'
import { toRung } from './ladder.ts'
import type { Run } from './run.ts'
import { round } from './statistics.ts'

const maxRows = 15

/** Draws a page about runs that needs no other file. */
export function drawReport(runs: readonly Run[]): string {
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Load report</title>
<style>
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
  :root { color-scheme: light dark }
  table { border-collapse: collapse; margin: 1rem 0 } td, th { padding: 0.2rem 0.8rem; text-align: right }
  td:first-child, th:first-child { text-align: left } tr { border-bottom: 1px solid #8884 }
  .exceeded { color: #c62828; font-weight: 600 } code { overflow-wrap: anywhere }
</style>
<h1>Load report</h1>
${runs.length > 1 ? drawGrowth(runs) : ''}
${runs.map(drawRun).join('\n')}
</html>
`
}

function drawGrowth(runs: readonly Run[]): string {
  const rungs = runs.map(toRung).sort((a, b) => a.people - b.people)
  return `<h2>Growth</h2>
${drawPlot({
  title: 'Processors in use by the number of people online',
  xLabel: 'people online',
  yLabel: 'processors',
  series: [
    { name: 'node', points: rungs.map(({ people, node }) => ({ x: people, y: node })) },
    { name: 'PostgreSQL', points: rungs.map(({ people, postgres }) => ({ x: people, y: postgres })) },
  ],
})}`
}

function drawRun(run: Run): string {
  const { scenario, report, limits, noise, statements, functions } = run
  return `<h2>${escapeHtml(scenario.name)}, ${scenario.people} people: ${run.isPassed ? 'passed' : 'failed'}${
    run.isValid ? '' : ', but the generator was too busy'
  }${noise.isNoisy ? ', on a noisy machine' : ''}</h2>
${table(
  ['limit', 'measured', 'at most'],
  limits.map(({ name, measured, limit, isKept }) => [
    name,
    isKept ? measured : { text: String(measured), isExceeded: true },
    limit,
  ]),
)}
${table(
  [
    'phase',
    'actions/s',
    'sends/s',
    'deliveries/s',
    'node',
    'PostgreSQL',
    'lag median',
    'lag p99',
    'worst second',
    'page p99',
    'send p99',
  ],
  report.phases.map((phase) => {
    const seconds = (phase.endedAt - phase.startedAt) / 1000
    const cost = run.costs.find((each) => each.phase === phase.phase)
    return [
      phase.phase,
      round(phase.actions / seconds),
      round(phase.sends / seconds, 2),
      round(phase.lag.count / seconds),
      cost?.node ?? 0,
      cost?.postgres ?? 0,
      phase.lag.median,
      phase.lag.p99,
      phase.worstSecondMs,
      phase.kinds.page?.p99 ?? 0,
      phase.kinds.send?.p99 ?? 0,
    ]
  }),
)}
<p>Generator: ${report.generator.cores} processors, delay of its event loop ${report.generator.delayP99Ms} ms (p99).
Machine: load ${noise.load.join(' to ')}, steal ${noise.steal}, calibration ${noise.calibrationMs.join(' to ')} ms.</p>
${drawSeconds(run)}
${drawProcessors(run)}
${
  statements.length === 0
    ? ''
    : table(
        ['statement', 'calls', 'planning, ms', 'execution, ms'],
        statements.slice(0, maxRows).map((each) => [each.text, each.calls, each.planning, each.execution]),
      )
}
${functions.length === 0 ? '' : `<pre>${escapeHtml(functions.slice(0, maxRows).join('\n'))}</pre>`}`
}

function drawSeconds({ report: { seconds } }: Run): string {
  const [first] = seconds
  if (!first) return ''
  const line = (name: string, of: (second: (typeof seconds)[number]) => number) => ({
    name,
    points: seconds.map((second) => ({ x: second.at - first.at, y: of(second) })),
  })
  return drawPlot({
    title: 'The 99th percentiles of each second',
    xLabel: 'seconds',
    yLabel: 'milliseconds, p99 of each second',
    isTimeline: true,
    series: [
      line('lag', ({ lagP99 }) => lagP99),
      line('page', ({ pageP99 }) => pageP99),
      line('send', ({ sendP99 }) => sendP99),
    ],
  })
}

function drawProcessors({ samples }: Run): string {
  const pairs = samples.slice(1).map((sample, index) => [samples[index] ?? sample, sample] as const)
  const line = (name: string, of: (sample: (typeof samples)[number]) => number) => ({
    name,
    points: pairs.map(([before, after]) => ({
      x: Math.round((after.at - (samples[0]?.at ?? 0)) / 1000),
      y: Math.max(0, ((of(after) - of(before)) * 1000) / Math.max(1, after.at - before.at)),
    })),
  })
  return drawPlot({
    title: 'Processors in use',
    xLabel: 'seconds',
    yLabel: 'processors',
    isTimeline: true,
    series: [
      line('node', ({ nodeSeconds }) => nodeSeconds),
      line('PostgreSQL', ({ postgresSeconds }) => postgresSeconds),
    ],
  })
}

type Cell = string | number | { text: string; isExceeded: true }

function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const cell = (value: Cell) =>
    typeof value === 'object'
      ? `<td class="exceeded">${escapeHtml(value.text)}</td>`
      : `<td>${escapeHtml(value.toLocaleString('en'))}</td>`
  return `<table><tr>${head.map((text) => `<th>${escapeHtml(text)}</th>`).join('')}</tr>
${rows.map((cells) => `<tr>${cells.map(cell).join('')}</tr>`).join('\n')}</table>`
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
