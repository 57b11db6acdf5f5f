import type { FileReason, Reason } from './reasons.ts'

/** Where something happened. Texts of messages never appear here, because many people may see a report. */
export interface Example {
  place?: string
  id?: string
  name?: string
}

export interface Loss {
  count: number
  examples: Example[]
}

/** Counts of the messages of one place. */
export interface PlaceCount {
  /** Messages that the archive has. */
  found: number
  imported: number
  /** Found messages that do not come, by reason. */
  skipped: Partial<Record<Reason, number>>
  /** Messages that the import itself writes, such as the notices of threads. */
  added: number
  first?: number
  last?: number
}

export interface Rename {
  kind: 'person' | 'stream' | 'emoji' | 'topic'
  from: string
  to: string
}

export interface FileCount {
  found: number
  imported: number
  bytes: number
  missing: Partial<Record<FileReason, number>>
  largest: { name: string; bytes: number }[]
}

/** The counts of an import as plain data, so that a later step can continue with them. */
export interface TallyState {
  places: Record<string, PlaceCount>
  losses: Partial<Record<Reason, Loss>>
  kinds: Record<string, number>
  renames: Rename[]
  renameCount: number
  files: FileCount
  reactions: { found: number; imported: number }
}

const maxExamples = 20
const maxRenames = 1_000
const maxLargest = 10

const emptyState = (): TallyState => ({
  places: Object.create(null),
  losses: {},
  kinds: Object.create(null),
  renames: [],
  renameCount: 0,
  files: { found: 0, imported: 0, bytes: 0, missing: {}, largest: [] },
  reactions: { found: 0, imported: 0 },
})

/** Counts what becomes of everything in an archive. */
export class Tally {
  readonly state: TallyState

  constructor(state?: TallyState) {
    const empty = emptyState()
    this.state = state
      ? {
          ...state,
          places: Object.assign(empty.places, state.places),
          kinds: Object.assign(empty.kinds, state.kinds),
        }
      : empty
  }

  copy(): TallyState {
    return structuredClone(this.state)
  }

  place(id: string): PlaceCount {
    this.state.places[id] ??= { found: 0, imported: 0, skipped: {}, added: 0 }
    return this.state.places[id]
  }

  found(place: string, at?: number): void {
    const count = this.place(place)
    count.found++
    if (at === undefined) return
    count.first = Math.min(count.first ?? at, at)
    count.last = Math.max(count.last ?? at, at)
  }

  /** Counts a message that does not come. */
  skip(place: string, reason: Reason, example: Example = {}): void {
    const { skipped } = this.place(place)
    skipped[reason] = (skipped[reason] ?? 0) + 1
    this.lose(reason, { place, ...example })
  }

  /** Counts a change or a loss that concerns no whole message. */
  lose(reason: Reason, example: Example = {}, count = 1): void {
    this.state.losses[reason] ??= { count: 0, examples: [] }
    const loss = this.state.losses[reason]
    loss.count += count
    if (loss.examples.length < maxExamples) loss.examples.push(example)
  }

  /** Counts the kinds that the source itself has, such as the subtypes of messages. */
  kind(name: string): void {
    if (!(name in this.state.kinds) && Object.keys(this.state.kinds).length >= maxRenames) return
    this.state.kinds[name] = (this.state.kinds[name] ?? 0) + 1
  }

  rename(kind: Rename['kind'], from: string, to: string): void {
    this.state.renameCount++
    if (this.state.renames.length < maxRenames) this.state.renames.push({ kind, from, to })
  }

  fileImported(name: string, bytes: number): void {
    const { files } = this.state
    files.imported++
    files.bytes += bytes
    files.largest = [...files.largest, { name, bytes }].sort((a, b) => b.bytes - a.bytes).slice(0, maxLargest)
  }

  fileMissing(reason: FileReason): void {
    const { missing } = this.state.files
    missing[reason] = (missing[reason] ?? 0) + 1
  }
}
