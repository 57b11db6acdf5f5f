import type pg from 'pg'
import { lockKey } from '../../../platform/database/locks.ts'
import type { IdKind } from '../format/fields.ts'
import { contentRefusal } from './refuse.ts'

/** Kinds of ids that are assigned one by one, with the sequence of each kind. */
const sequences = {
  user: 'user_account_id_seq',
  recipient: 'stream_id_seq',
  user_group: 'user_group_id_seq',
  emoji: 'custom_emoji_id',
  upload: 'upload_id_seq',
  profile_field: 'profile_field_id_seq',
  default_stream_group: 'default_stream_group_id_seq',
  stream_folder: 'stream_folder_id_seq',
} as const satisfies Partial<Record<IdKind, string>>
export type DenseKind = keyof typeof sequences
const denseKinds = Object.keys(sequences) as DenseKind[]
export const isDense = (kind: IdKind): kind is DenseKind => Object.hasOwn(sequences, kind)

/** Kinds of ids that also serve as points in time, so their order and distances must be preserved. */
const slicedSequences = { message: 'message_id', position: 'outbox_id' } as const
type SlicedKind = keyof typeof slicedSequences

/** Maps ids of one kind to new ids, one for each record. */
class DenseIds {
  #old: Set<number> | Float64Array = new Set()
  #assigned: Float64Array = new Float64Array()

  add(id: number): boolean {
    const old = this.#old as Set<number>
    if (old.has(id)) return false
    old.add(id)
    return true
  }

  has(id: number): boolean {
    return this.#old instanceof Set ? this.#old.has(id) : this.find(id) !== undefined
  }

  async assign(client: pg.ClientBase, sequence: string): Promise<void> {
    const old = Float64Array.from(this.#old as Set<number>).sort()
    const { rows } = await client.query<{ id: string }>(
      'select nextval($1::regclass) as id from generate_series(1, $2::bigint)',
      [sequence, old.length],
    )
    this.#assigned = Float64Array.from(rows, ({ id }) => Number(id)).sort()
    this.#old = old
  }

  find(id: number): number | undefined {
    const old = this.#old as Float64Array
    let [low, high] = [0, old.length - 1]
    while (low <= high) {
      const middle = (low + high) >> 1
      const found = old[middle] as number
      if (found === id) return this.#assigned[middle]
      if (found < id) low = middle + 1
      else high = middle - 1
    }
    return undefined
  }
}

const sliceSize = 2 ** 20
/** Limits the ids that one import takes from the sequence. A slice has a million ids. */
const maxSlices = 65_536

/**
 * Maps ids by shifting slices of a million ids. Slices without ids are skipped, so an organization
 * that used few ids on its old server takes few ids on this one. Memory does not grow with the
 * number of ids.
 */
class SlicedIds {
  readonly #slices = new Map<number, number>()
  #base = 0

  note(id: number): void {
    if (id === 0) return
    const slice = Math.floor(id / sliceSize)
    if (this.#slices.has(slice)) return
    if (this.#slices.size >= maxSlices) throw contentRefusal('its ids are spread over too wide a range')
    this.#slices.set(slice, 0)
  }

  /**
   * Reserves ids. Nodes may take ids between the two steps of the statement; the reserved ones begin more than
   * a million above them. Another import must not reserve ids at the same time, because it could get the same ones.
   */
  async assign(client: pg.ClientBase, sequence: string): Promise<void> {
    const { rows } = await client.query<{ base: string }>(
      `with reserved as materialized (select (nextval($1::regclass) / $2::bigint + 2) * $2::bigint as base)
       select base, setval($1::regclass, base + $3::bigint * $2::bigint) from reserved`,
      [sequence, sliceSize, this.#slices.size],
    )
    this.#base = Number(rows[0]?.base)
    const sorted = [...this.#slices.keys()].sort((a, b) => a - b)
    for (const [index, slice] of sorted.entries()) this.#slices.set(slice, index)
  }

  find(id: number): number | undefined {
    // Zero means none, such as a position below all messages.
    if (id === 0) return 0
    const index = this.#slices.get(Math.floor(id / sliceSize))
    return index === undefined ? undefined : this.#base + index * sliceSize + (id % sliceSize)
  }

  /** An upper bound of all mapped ids. */
  get last(): number {
    return this.#base + this.#slices.size * sliceSize
  }
}

/** Maps the ids of an export to ids of this server. */
export class IdMaps {
  readonly #dense = new Map(denseKinds.map((kind) => [kind, new DenseIds()]))
  readonly #sliced: Record<SlicedKind, SlicedIds> = { message: new SlicedIds(), position: new SlicedIds() }
  readonly #systemAccounts = new Map<number, number>()

  /** Collects the id of a record. Throws if another record has the same id. */
  add(kind: DenseKind, id: number): void {
    if (this.#systemAccounts.has(id) && kind === 'user')
      throw contentRefusal(`two accounts have the id ${id}`)
    if (!this.#dense.get(kind)?.add(id))
      throw contentRefusal(`two records of the kind ${kind} have the id ${id}`)
  }

  /** Maps a system account of the export to the account of this server. */
  addSystemAccount(id: number, ownId: number): void {
    this.#systemAccounts.set(id, ownId)
  }

  note(kind: SlicedKind, id: number): void {
    this.#sliced[kind].note(id)
  }

  has(kind: DenseKind, id: number): boolean {
    if (kind === 'user' && this.#systemAccounts.has(id)) return true
    return this.#dense.get(kind)?.has(id) ?? false
  }

  /** Reserves ids of this server for all ids that were noted. Waits for other imports that do the same. */
  async assign(client: pg.ClientBase): Promise<void> {
    const lock = lockKey('importedIds')
    await client.query('select pg_advisory_lock($1)', [lock])
    for (const kind of denseKinds) await this.#dense.get(kind)?.assign(client, sequences[kind])
    for (const kind of ['message', 'position'] as const)
      await this.#sliced[kind].assign(client, slicedSequences[kind])
    await client.query('select pg_advisory_unlock($1)', [lock])
  }

  /** Returns the new id; undefined if the export has no such id. */
  find(kind: IdKind, id: number): number | undefined {
    if (!isDense(kind)) return this.#sliced[kind].find(id)
    const own = kind === 'user' ? this.#systemAccounts.get(id) : undefined
    return own ?? this.#dense.get(kind)?.find(id)
  }

  get(kind: IdKind, id: number): number {
    const found = this.find(kind, id)
    if (found === undefined) throw contentRefusal(`no record of the kind ${kind} has the id ${id}`)
    return found
  }

  /** An upper bound of the ids of all imported messages. */
  get lastMessage(): number {
    return this.#sliced.message.last
  }
}
