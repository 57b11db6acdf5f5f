import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { drawPlot } from './draw-plot.ts'
import { drawPerformancePlots } from './performance-plots.ts'
import { readResults } from './results.ts'

test('the plots of docs/performance.md are drawn from the published results', () => {
  const page = readFileSync('docs/performance.md', 'utf8')
  const drawn = drawPerformancePlots(readResults('docs/performance.json').results)
  assert.ok(drawn.size > 0)
  for (const [name, svg] of drawn) {
    assert.equal(readFileSync(`docs/images/${name}.svg`, 'utf8'), svg, `run: npm run plots (${name})`)
    assert.ok(page.includes(`images/${name}.svg`), name)
  }
})

test('a line of equal values is drawn flat, and twice the value twice as high', () => {
  const axes = { title: 'A plot', xLabel: 'x', yLabel: 'y' }
  const heightsOf = (ys: number[]) => {
    const points = ys.map((y, index) => ({ x: 10 ** index, y }))
    const svg = drawPlot({ ...axes, series: [{ name: 'a', points }] })
    const [, zero = ''] = /text-anchor="end">0</.test(svg) ? (/y1="([\d.]+)"/.exec(svg) ?? []) : []
    return [...svg.matchAll(/cy="([\d.]+)"/g)].map(([, y]) => Number(zero) - Number(y))
  }
  const [first, second, third] = heightsOf([5, 5, 10])
  assert.equal(first, second)
  assert.ok(Math.abs((third ?? 0) - 2 * (first ?? 0)) < 0.2, `${first} ${third}`)
})

test('names of lines that end at the same value do not overlap, and markup in names is escaped', () => {
  const series = ['a', 'b <c>', 'd'].map((name) => ({
    name,
    points: [
      { x: 1, y: 1 },
      { x: 10, y: 2 },
    ],
  }))
  const svg = drawPlot({ title: 'A & B', xLabel: 'x', yLabel: 'y', series })
  const ys = [...svg.matchAll(/class="name c\d" x="[\d.]+" y="([\d.]+)"/g)].map(([, y]) => Number(y))
  assert.equal(ys.length, 3)
  const sorted = ys.toSorted((a, b) => a - b)
  for (const [index, y] of sorted.slice(1).entries()) assert.ok(y - (sorted[index] ?? 0) >= 16)
  assert.ok(svg.includes('b &lt;c&gt;') && svg.includes('A &amp; B'))
})
