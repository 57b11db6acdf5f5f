/** A line of a plot. */
interface Series {
  name: string
  /** Points in ascending order of `x`. */
  points: readonly { x: number; y: number }[]
}

export interface Plot {
  /** One sentence that says what the plot shows, for screen readers. */
  title: string
  /** Name of the quantity on the horizontal axis. */
  xLabel: string
  /** Unit of the vertical axis. */
  yLabel: string
  series: readonly Series[]
  /** Draws a linear horizontal axis from zero, and lines without dots. */
  isTimeline?: boolean
}

const [width, height] = [880, 360]
const frame = { left: 64, right: 330, top: 42, bottom: 54 }
const plotWidth = width - frame.left - frame.right
const plotHeight = height - frame.top - frame.bottom
/** Minimum distance between the names of lines that end close to each other. */
const lineHeight = 17

/** Colours of the lines, which people with red-green colour blindness can distinguish. */
const colours: readonly [light: string, dark: string][] = [
  ['#1f6f8b', '#5fb3cc'],
  ['#b4501e', '#f0a070'],
  ['#5b4fa2', '#b3a6f0'],
  ['#2d7a3e', '#7fcf92'],
  ['#8a1c55', '#ec8fbf'],
  ['#6b6b00', '#d4d46a'],
  ['#444444', '#c8c8c8'],
  ['#0b5fd0', '#8ab8ff'],
]

/**
 * Draws lines over a logarithmic horizontal axis and a vertical axis that begins at zero, so that a flat line means
 * that the cost does not grow. The picture has colours for light and dark themes.
 */
export function drawPlot({ title, xLabel, yLabel, series, isTimeline = false }: Plot): string {
  const allXs = [...new Set(series.flatMap(({ points }) => points.map(({ x }) => x)))].sort((a, b) => a - b)
  const [minX, maxX] = [isTimeline ? 0 : (allXs[0] ?? 1), allXs.at(-1) ?? 10]
  const xs = isTimeline ? listTicks(maxX) : allXs
  const step = niceStep(Math.max(...series.flatMap(({ points }) => points.map(({ y }) => y))))
  const maxY = step * Math.ceil(Math.max(...series.flatMap(({ points }) => points.map(({ y }) => y))) / step)
  const shareOf = (x: number) => (isTimeline ? x / maxX : Math.log(x / minX) / Math.log(maxX / minX))
  const toX = (x: number) => frame.left + (maxX === minX ? 0.5 : shareOf(x)) * plotWidth
  const toY = (y: number) => frame.top + (1 - y / maxY) * plotHeight
  const bottom = frame.top + plotHeight
  const ticks = listTicks(maxY)
  const ends = spread(series.map(({ points }) => toY(points.at(-1)?.y ?? 0)))
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13">`,
    `  <title>${escapeXml(title)}</title>`,
    '  <style>',
    ...styles(),
    '  </style>',
    `  <text class="text" x="${frame.left}" y="22">${escapeXml(yLabel)}</text>`,
    ...ticks.flatMap((tick) => [
      `  <line class="grid" x1="${frame.left}" x2="${frame.left + plotWidth}" y1="${at(toY(tick))}" y2="${at(toY(tick))}"/>`,
      `  <text class="small" x="${frame.left - 8}" y="${at(toY(tick) + 4)}" text-anchor="end">${shortNumber(tick)}</text>`,
    ]),
    ...xs.map(
      (x) =>
        `  <text class="small" x="${at(toX(x))}" y="${bottom + 20}" text-anchor="middle">${x.toLocaleString('en')}</text>`,
    ),
    `  <text class="text" x="${frame.left + plotWidth / 2}" y="${height - 10}" text-anchor="middle">${escapeXml(xLabel)}</text>`,
    ...series.flatMap(({ name, points }, index) => {
      const colour = `c${index % colours.length}`
      const end = points.at(-1)
      return [
        `  <polyline class="line ${colour}" points="${points.map(({ x, y }) => `${at(toX(x))},${at(toY(y))}`).join(' ')}"/>`,
        ...(isTimeline ? [] : points).map(
          ({ x, y }) => `  <circle class="dot ${colour}" cx="${at(toX(x))}" cy="${at(toY(y))}" r="3.5"/>`,
        ),
        `  <text class="name ${colour}" x="${frame.left + plotWidth + 12}" y="${at((ends[index] ?? 0) + 4)}">${escapeXml(name)}${end ? ` (${shortNumber(end.y)})` : ''}</text>`,
      ]
    }),
    '</svg>',
  ].join('\n')}\n`
}

function styles(): string[] {
  const rules = (theme: 0 | 1) =>
    colours
      .map(
        (pair, index) =>
          `.line.c${index} { stroke: ${pair[theme]} } .dot.c${index}, .name.c${index} { fill: ${pair[theme]} }`,
      )
      .join(' ')
  return [
    '    .text { fill: #14303a } .small { fill: #48626b; font-size: 12px } .grid { stroke: #d5e0e4 } .line { fill: none; stroke-width: 2 }',
    `    ${rules(0)}`,
    '    @media (prefers-color-scheme: dark) {',
    '      .text { fill: #e3f1f5 } .small { fill: #a6c0c9 } .grid { stroke: #2b3f47 }',
    `      ${rules(1)}`,
    '    }',
  ]
}

/** Lists the ticks of an axis from zero. */
function listTicks(max: number): number[] {
  const step = niceStep(max)
  return Array.from({ length: Math.floor(max / step + 0.001) + 1 }, (_, index) => index * step)
}

/** Returns a round distance between ticks, so that an axis up to `max` needs three to six of them. */
function niceStep(max: number): number {
  if (!(max > 0)) return 1
  const power = 10 ** Math.floor(Math.log10(max))
  return [0.2, 0.5, 1, 2].map((factor) => factor * power).find((step) => max / step <= 6) ?? 2 * power
}

/** Moves positions apart that are closer than a line of text, and keeps their order. */
function spread(positions: readonly number[]): number[] {
  const order = positions.map((_, index) => index).sort((a, b) => (positions[a] ?? 0) - (positions[b] ?? 0))
  const placed: number[] = []
  let last = Number.NEGATIVE_INFINITY
  for (const index of order) {
    last = Math.max(positions[index] ?? 0, last + lineHeight)
    placed[index] = last
  }
  // Names that would end below the axis move up together.
  const excess = Math.max(0, last - (frame.top + plotHeight))
  return placed.map((position) => position - excess)
}

const at = (position: number): string => String(Number(position.toFixed(1)))
const shortNumber = (value: number): string => Number(value.toPrecision(3)).toLocaleString('en')

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
