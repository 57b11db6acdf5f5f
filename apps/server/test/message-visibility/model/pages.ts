import { type Condition, findFirstUnread, listFitting, type Viewer } from './narrows.ts'

/** A requested page of a narrow. */
export interface PageRequest {
  anchor: string
  num_before: number
  num_after: number
}

export interface Page {
  ids: number[]
  anchor: number
  found_anchor: boolean
  found_oldest: boolean
  found_newest: boolean
}

/** The message id that represents `newest`. */
const end = 10_000_000_000_000_000

export function pageOf(viewer: Viewer, narrow: readonly Condition[], pageRequest: PageRequest): Page {
  const ids = listFitting(viewer, narrow).map(({ id }) => id)
  const anchor = anchorOf(viewer, narrow, pageRequest)
  const older = ids.filter((id) => id < anchor)
  const newer = ids.filter((id) => id > anchor)
  const found_anchor = ids.includes(anchor)
  return {
    ids: [
      ...older.slice(Math.max(older.length - pageRequest.num_before, 0)),
      ...(found_anchor ? [anchor] : []),
      ...newer.slice(0, pageRequest.num_after),
    ],
    anchor,
    found_anchor,
    // A page at an end has reached that end, even if zero messages are requested.
    found_oldest: anchor === 0 || older.length < pageRequest.num_before,
    found_newest: anchor === end || newer.length < pageRequest.num_after,
  }
}

function anchorOf(viewer: Viewer, narrow: readonly Condition[], { anchor }: PageRequest): number {
  if (anchor === 'newest') return end
  if (anchor === 'oldest') return 0
  if (anchor === 'first_unread') return findFirstUnread(viewer, narrow)?.id ?? end
  return Number(anchor)
}
