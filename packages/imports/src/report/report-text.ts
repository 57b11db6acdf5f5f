import { describeBytes } from './describe-bytes.ts'
import type { Report } from './report.ts'

const maxPlaces = 40

/** Writes the report for a terminal. */
export function reportText(report: Report): string {
  const { totals, people, files, reactions, losses, renames, problems } = report
  const lines = [
    `${report.system} archive: ${report.archive.files} files, ${describeBytes(report.archive.bytes)}` +
      (report.from === null ? '' : `, messages from ${day(report.from)} to ${day(report.to ?? '')}`),
    '',
    'What comes',
    `  messages      ${totals.found} found = ${totals.imported} imported + ${totals.skipped} left out`,
    `                ${totals.added} notices are added, mostly where threads became topics`,
    `  people        ${totals.people}, ${people.active} of them can sign in; owners: ${people.owners.join(', ') || 'none'}`,
    `  places        ${totals.places}`,
    `  files         ${files.found} found, ${files.imported} imported (${describeBytes(files.bytes)})`,
    `  reactions     ${reactions.found} found, ${reactions.imported} imported`,
  ]
  if (people.inactive.length > 0) lines.push('', 'Accounts that come deactivated')
  for (const { count, meaning } of people.inactive) lines.push(`  ${pad(count)}  ${meaning}`)
  if (losses.length > 0) lines.push('', 'What does not come, or changes')
  for (const { count, reason, meaning } of losses) lines.push(`  ${pad(count)}  ${meaning} (${reason})`)
  if (files.missing.length > 0) lines.push('', 'Files that do not come')
  for (const { count, meaning } of files.missing) lines.push(`  ${pad(count)}  ${meaning}`)
  lines.push('', 'Places: found = imported + left out')
  for (const { name, kind, found, imported, skipped, members } of report.places.slice(0, maxPlaces))
    lines.push(`  ${name} (${kind}, ${members} people): ${found} = ${imported} + ${skipped}`)
  if (report.places.length > maxPlaces)
    lines.push(`  and ${report.places.length - maxPlaces} more: --json and --html list all`)
  if (renames.count > 0) lines.push('', `${renames.count} names change: --json and --html list them`)
  for (const problem of problems) lines.push('', `Before the import: ${problem}`)
  return lines.join('\n')
}

const day = (time: string): string => time.slice(0, 10)
const pad = (count: number): string => String(count).padStart(9)
