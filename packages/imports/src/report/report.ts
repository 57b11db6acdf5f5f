import type { Archive } from '../archive/archive.ts'
import type { ImportOptions } from '../pipeline/options.ts'
import type { ImportResult } from '../pipeline/run-import.ts'
import { writeTime } from '../text/moments.ts'
import { fileReasons, inactiveReasons, type Reason, reasons } from './reasons.ts'
import type { FileCount, Loss, PlaceCount, Rename } from './tally.ts'

export interface Report {
  system: string
  archive: { files: number; bytes: number; ignored: number; fingerprint: string }
  /** First and last message. */
  from: string | null
  to: string | null
  totals: PlaceTotals & { people: number; places: number }
  places: PlaceReport[]
  people: {
    active: number
    withoutEmail: number
    bots: number
    guests: number
    owners: string[]
    inactive: { reason: string; meaning: string; count: number }[]
  }
  access: { place: string; readers: number; people: string[] }[]
  losses: (Loss & { reason: Reason; meaning: string })[]
  files: Omit<FileCount, 'missing'> & { missing: { reason: string; meaning: string; count: number }[] }
  reactions: { found: number; imported: number }
  /** Kinds of messages that the old system knows, such as subtypes, and how many there are. */
  kinds: { kind: string; count: number }[]
  renames: { count: number; examples: Rename[] }
  /** Steps that are needed before the import can be carried out. */
  problems: string[]
}

interface PlaceTotals {
  found: number
  imported: number
  skipped: number
  added: number
  /** Found messages that are neither imported nor skipped. A number other than zero is a bug of the import. */
  unexplained: number
}

interface PlaceReport extends PlaceTotals {
  id: string
  name: string
  kind: 'public stream' | 'private stream' | 'private conversation' | 'not imported'
  isArchived: boolean
  members: number
  reasons: { reason: Reason; count: number }[]
}

/** Maximum number of names that the report lists for one place. */
const maxNames = 50

export function makeReport(
  archive: Pick<Archive, 'files' | 'bytes' | 'ignored' | 'fingerprint'>,
  { team, tally, system }: ImportResult & { system: string },
  options: ImportOptions,
): Report {
  const { state } = tally
  const places = listPlaces(team, state.places)
  const sum = (key: keyof PlaceTotals) => places.reduce((total, place) => total + place[key], 0)
  const times = Object.values(state.places)
  const inactive = team.people.filter((person) => person.inactive !== undefined)
  const active = team.people.filter((person) => person.inactive === undefined)
  const { missing, ...files } = state.files
  const report: Report = {
    system,
    archive: {
      files: archive.files.size,
      bytes: archive.bytes,
      ignored: archive.ignored.length,
      fingerprint: archive.fingerprint,
    },
    from: timeOf(Math.min(...times.map(({ first = Infinity }) => first))),
    to: timeOf(Math.max(...times.map(({ last = -Infinity }) => last))),
    totals: {
      people: team.people.length,
      places: places.length,
      found: sum('found'),
      imported: sum('imported'),
      skipped: sum('skipped'),
      added: sum('added'),
      unexplained: sum('unexplained'),
    },
    places,
    people: {
      active: active.length,
      withoutEmail: team.people.filter(({ email, isBot }) => email === null && !isBot).length,
      bots: team.people.filter(({ isBot }) => isBot).length,
      guests: team.people.filter(({ role }) => role === 600).length,
      owners: active.filter(({ role }) => role === 100).map(({ name }) => name),
      inactive: countBy(inactive.map((person) => person.inactive ?? 'placeholder')).map(
        ([reason, count]) => ({
          ...{ reason, meaning: inactiveReasons[reason], count },
        }),
      ),
    },
    access: team.places
      .filter(({ kind }) => kind !== 'public')
      .map(({ name, sourceName, members }) => ({
        place: name || sourceName,
        readers: members.length,
        people: members.slice(0, maxNames).map((member) => member.name),
      })),
    losses: Object.entries(state.losses)
      .map(([reason, loss]) => ({ reason: reason as Reason, meaning: reasons[reason as Reason], ...loss }))
      .sort((a, b) => b.count - a.count),
    files: {
      ...files,
      missing: Object.entries(missing).map(([reason, count]) => ({
        ...{ reason, meaning: fileReasons[reason as keyof typeof fileReasons], count },
      })),
    },
    reactions: state.reactions,
    kinds: Object.entries(state.kinds)
      .map(([kind, count]) => ({ kind, count }))
      .sort((a, b) => b.count - a.count),
    renames: { count: state.renameCount, examples: state.renames },
    problems: [],
  }
  report.problems = listProblems(report, options)
  return report
}

function listPlaces(team: ImportResult['team'], counts: Readonly<Record<string, PlaceCount>>): PlaceReport[] {
  const ids = new Set([...team.places.map(({ sourceId }) => sourceId), ...Object.keys(counts)])
  return [...ids].sort().map((id) => {
    const place = team.place(id)
    const { found = 0, imported = 0, skipped = {}, added = 0 } = counts[id] ?? {}
    const left = Object.values(skipped).reduce((total, count) => total + count, 0)
    return {
      id,
      name: place?.name || place?.sourceName || id,
      kind: kindOf(place?.kind),
      isArchived: place?.archivedName !== undefined,
      members: place?.members.length ?? 0,
      found,
      imported,
      skipped: left,
      added,
      unexplained: found - imported - left,
      reasons: Object.entries(skipped).map(([reason, count]) => ({ reason: reason as Reason, count })),
    }
  })
}

function kindOf(kind: 'public' | 'private' | 'conversation' | undefined): PlaceReport['kind'] {
  if (kind === undefined) return 'not imported'
  return kind === 'conversation' ? 'private conversation' : `${kind} stream`
}

const timeOf = (at: number): string | null => (Number.isFinite(at) ? writeTime(at) : null)

function countBy<Key extends string>(keys: readonly Key[]): [Key, number][] {
  const counts = new Map<Key, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)
}

function listProblems({ people, totals }: Report, { owner }: ImportOptions): string[] {
  const problems: string[] = []
  if (people.owners.length === 0)
    problems.push(
      owner === ''
        ? 'Nobody would own the organization. Name the e-mail address of a person in the archive: --owner ADDRESS. If the archive has no addresses, give them with --people FILE.'
        : `No active person in the archive has the address ${owner}. Give the addresses of people with --people FILE.`,
    )
  if (totals.unexplained !== 0)
    problems.push(
      `${totals.unexplained} messages are unaccounted for. This is a mistake of the import: please report it with the output of --shape.`,
    )
  return problems
}
