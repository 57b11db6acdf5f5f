import type { StateSlice } from '../events/state-slice.ts'
import { jsonInPieces } from '../platform/pieces.ts'
import { listDraftsOfUser } from './queries.ts'

export const draftsState: StateSlice = {
  types: ['drafts'],
  read: async ({ actor, db }) => ({
    drafts: await jsonInPieces(await listDraftsOfUser(db, actor), (draft) => JSON.stringify(draft)),
  }),
}
