import { drawPlot, type Plot } from './draw-plot.ts'
import type { Result } from './results.ts'

interface PlotOfBench extends Omit<Plot, 'series'> {
  bench: string
  /** Results to draw; all of the benchmark by default. */
  names?: readonly string[]
}

/** Plots of docs/performance.md, by the name of their file in docs/images. */
const plots: Record<string, PlotOfBench> = {
  'performance-messages': {
    title: 'Time of a page of 100 messages by the number of messages stored',
    bench: 'pages',
    names: [
      'stream',
      'stream and topic',
      'sender',
      'home, 500 streams',
      'pm-with',
      'is:starred',
      'is:unread',
    ],
    xLabel: 'messages stored',
    yLabel: 'milliseconds of a request for 100 messages',
  },
  'performance-subscribers': {
    title: 'Time of a send by the number of subscribers of its stream',
    bench: 'audiences',
    xLabel: 'subscribers of the stream',
    yLabel: 'milliseconds of a send',
  },
  'performance-polls': {
    title: 'Processor time of a delivery by the number of polls held, beside bare node:http',
    bench: 'polls',
    xLabel: 'polls held by one node',
    yLabel: 'microseconds of processor time to answer a poll and hold the next',
  },
  'performance-organizations': {
    title: 'Processor time of a send by the number of organizations',
    bench: 'organizations',
    names: ['processor time of a send'],
    xLabel: 'organizations of one node',
    yLabel: 'microseconds of processor time of a send in the node',
  },
  'performance-organizations-memory': {
    title: 'Memory of a node by the number of organizations',
    bench: 'organizations',
    names: ['heap and external memory'],
    xLabel: 'organizations of one node',
    yLabel: 'megabytes of heap and external memory',
  },
}

/** Draws the plots for which there are results. Returns the SVG text of each by its name. */
export function drawPerformancePlots(results: readonly Result[]): Map<string, string> {
  const drawn = new Map<string, string>()
  for (const [file, { bench, names, ...plot }] of Object.entries(plots)) {
    const found = results.filter((result) => result.bench === bench && result.count !== undefined)
    const series = (names ?? [...new Set(found.map(({ name }) => name))])
      .map((name) => ({
        name,
        points: found
          .filter((result) => result.name === name)
          .map(({ count = 0, value }) => ({ x: count, y: value }))
          .sort((a, b) => a.x - b.x),
      }))
      // One point shows no growth.
      .filter(({ points }) => points.length > 1)
    if (series.length > 0) drawn.set(file, drawPlot({ ...plot, series }))
  }
  return drawn
}
