import { placeIn } from './sorted.ts'

// Lists of ids, ascending. As in shared.ts, what comes out unchanged is what went in.

export function holdsId<Id extends number>(list: readonly Id[], id: Id): boolean {
  return list[placeOf(list, id)] === id
}

export function withIds<Id extends number>(list: Id[], added: readonly Id[]): Id[] {
  const missing = added.filter((id) => !holdsId(list, id))
  if (missing.length === 0) return list
  const [first] = missing
  if (first !== undefined && missing.length === 1) return list.toSpliced(placeOf(list, first), 0, first)
  return [...new Set([...list, ...missing])].sort((a, b) => a - b)
}

export function withoutIds<Id extends number>(list: Id[], gone: ReadonlySet<Id>): Id[] {
  return holdsAny(list, gone) ? list.filter((id) => !gone.has(id)) : list
}

/** Those of the list that are among the wanted. */
export function commonIds<Id extends number>(list: readonly Id[], wanted: ReadonlySet<Id>): Id[] {
  return holdsAny(list, wanted) ? list.filter((id) => wanted.has(id)) : []
}

/** Looks for the fewer among the more: most lists hold none, and there are many of them. */
function holdsAny<Id extends number>(list: readonly Id[], wanted: ReadonlySet<Id>): boolean {
  if (wanted.size > list.length) return list.some((id) => wanted.has(id))
  for (const id of wanted) if (holdsId(list, id)) return true
  return false
}

const placeOf = <Id extends number>(list: readonly Id[], id: Id): number =>
  placeIn(list, (other) => other < id)
