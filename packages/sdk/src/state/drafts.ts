import type { Draft, DraftsEvent } from '@oxbow/contract'
import { type State, withFetched } from './state.ts'

export function applyDrafts(state: State, event: DraftsEvent): State {
  if (!state.drafts) return state
  const changed = listChanged(event)
  const ids = new Set<number>(event.op === 'remove' ? [event.draft_id] : changed.map(({ id }) => id))
  const others = state.drafts.filter(({ id }) => !ids.has(id))
  return withFetched(state, { drafts: [...others, ...changed].sort(byLastEdit) })
}

function listChanged(event: DraftsEvent): readonly Draft[] {
  if (event.op === 'add') return event.drafts
  return event.op === 'update' ? [event.draft] : []
}

/** Sorts like the server: the draft that was edited last comes first. */
const byLastEdit = (a: Draft, b: Draft): number => b.timestamp - a.timestamp || b.id - a.id
