import { findInsertIndex } from './sorted.ts'

// Functions for ascending lists of ids. As in shared.ts, they return the same object if nothing changes.

export function includesId<Id extends number>(list: readonly Id[], id: Id): boolean {
  return list[findIdIndex(list, id)] === id
}

export function withIds<Id extends number>(list: Id[], added: readonly Id[]): Id[] {
  const missing = added.filter((id) => !includesId(list, id))
  if (missing.length === 0) return list
  const [first] = missing
  if (first !== undefined && missing.length === 1) return list.toSpliced(findIdIndex(list, first), 0, first)
  return [...new Set([...list, ...missing])].sort((a, b) => a - b)
}

export function withoutIds<Id extends number>(list: Id[], gone: ReadonlySet<Id>): Id[] {
  return includesAny(list, gone) ? list.filter((id) => !gone.has(id)) : list
}

/** Filters the list to ids that are in `wanted`. */
export function commonIds<Id extends number>(list: readonly Id[], wanted: ReadonlySet<Id>): Id[] {
  return includesAny(list, wanted) ? list.filter((id) => wanted.has(id)) : []
}

/**
 * Returns whether the list has one of the ids. Looks up the smaller collection in the larger one,
 * to be fast for many lists, most of which have none of the ids.
 */
function includesAny<Id extends number>(list: readonly Id[], wanted: ReadonlySet<Id>): boolean {
  if (wanted.size > list.length) return list.some((id) => wanted.has(id))
  for (const id of wanted) if (includesId(list, id)) return true
  return false
}

const findIdIndex = <Id extends number>(list: readonly Id[], id: Id): number =>
  findInsertIndex(list, (other) => other < id)
