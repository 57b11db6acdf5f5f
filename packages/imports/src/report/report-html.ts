import { describeBytes } from './describe-bytes.ts'
import type { Report } from './report.ts'

const style = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
  table { border-collapse: collapse; margin: .5rem 0 2rem }
  .scroll { overflow-x: auto }
  th, td { text-align: start; padding: .3rem .8rem; border-bottom: 1px solid color-mix(in srgb, currentColor 25%, transparent); vertical-align: top }
  td.number, th.number { text-align: end; font-variant-numeric: tabular-nums }
  .problem { border-inline-start: .3rem solid #c2410c; padding-inline-start: .8rem }
  summary { cursor: pointer }`

type Cell = string | number

/** Writes the report as a page for the owner of the team. It loads nothing and runs no script. */
export function reportHtml(report: Report): string {
  const { totals, people, files, reactions, archive } = report
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>What comes from ${escapeHtml(report.system)}</title>
<style>${style}</style>
</head>
<body>
<h1>What comes from ${escapeHtml(report.system)}</h1>
<p>${archive.files} files, ${describeBytes(archive.bytes)}${report.from === null ? '' : `, messages from ${day(report.from)} to ${day(report.to)}`}.</p>
${report.problems.map((problem) => `<p class="problem">Before the import: ${escapeHtml(problem)}</p>`).join('\n')}
${table(
  'Totals',
  ['', 'found', 'comes', 'does not come', 'added'],
  [
    ['Messages', totals.found, totals.imported, totals.skipped, totals.added],
    ['Files', files.found, files.imported, files.found - files.imported, 0],
    ['Reactions', reactions.found, reactions.imported, reactions.found - reactions.imported, 0],
  ],
)}
<p>${totals.people} accounts: ${people.active} people can sign in, ${people.bots} bots, ${people.guests} guests. Owners: ${escapeHtml(people.owners.join(', ') || 'none')}.</p>
${table(
  'What does not come, or changes',
  ['reason', 'how often', 'for example'],
  report.losses.map(({ meaning, count, examples }) => [meaning, count, describeExamples(examples)]),
)}
${table(
  'Files that do not come',
  ['reason', 'files'],
  files.missing.map(({ meaning, count }) => [meaning, count]),
)}
${table(
  'Accounts that come deactivated',
  ['reason', 'accounts'],
  people.inactive.map(({ meaning, count }) => [meaning, count]),
)}
${table(
  'Places',
  ['name', 'kind', 'people', 'found', 'comes', 'does not come', 'added'],
  report.places.map((place) => [
    place.name,
    place.isArchived ? `${place.kind}, archived` : place.kind,
    place.members,
    place.found,
    place.imported,
    place.skipped,
    place.added,
  ]),
)}
${table(
  'Who will be able to read what is private',
  ['place', 'readers', 'people'],
  report.access.map((access) => [access.place, access.readers, access.people.join(', ')]),
)}
${table(
  `Names that change (${report.renames.count})`,
  ['kind', 'in the archive', 'in Oxbow'],
  report.renames.examples.map(({ kind, from, to }) => [kind, from, to]),
)}
${table(
  'Largest files',
  ['name', 'size'],
  files.largest.map(({ name, bytes }) => [name, describeBytes(bytes)]),
)}
</body>
</html>
`
}

function table(title: string, headings: readonly string[], rows: readonly Cell[][]): string {
  if (rows.length === 0) return ''
  const cell = (tag: string) => (value: Cell) =>
    `<${tag}${typeof value === 'number' ? ' class="number"' : ''}>${escapeHtml(String(value))}</${tag}>`
  return `<h2>${escapeHtml(title)}</h2>
<div class="scroll"><table>
<thead><tr>${headings.map((heading) => `<th scope="col">${escapeHtml(heading)}</th>`).join('')}</tr></thead>
<tbody>
${rows.map((row) => `<tr>${row.map(cell('td')).join('')}</tr>`).join('\n')}
</tbody>
</table></div>`
}

const maxShownExamples = 3

const describeExamples = (examples: Report['losses'][number]['examples']): string =>
  examples
    .slice(0, maxShownExamples)
    .map(({ place = '', id = '', name = '' }) => [place, id, name].filter(Boolean).join(' '))
    .join(', ')

const day = (time: string | null): string => (time ?? '').slice(0, 10)

/** Escapes a text, and removes characters that could hide others. */
const escapeHtml = (text: string): string =>
  text
    .replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
