import type { api } from '@oxbow/contract'
import type { StateSlice } from '../../events/state-slice.ts'
import type { Feature } from '../../feature.ts'
import type { Routes } from '../../platform/http/bind.ts'
import { jsonInPieces } from '../../platform/pieces.ts'
import { createDrafts, editDraft, listDrafts, removeDraft } from './change-drafts.ts'
import { listDraftsOfUser } from './queries.ts'

const draftRoutes: Routes<typeof api.drafts> = {
  list: listDrafts,
  create: createDrafts,
  edit: editDraft,
  remove: removeDraft,
}

const draftsState: StateSlice = {
  types: ['drafts'],
  read: async ({ actor, db }) => ({
    drafts: await jsonInPieces(await listDraftsOfUser(db, actor), (draft) => JSON.stringify(draft)),
  }),
}

/** Texts that users have not sent yet. */
export const draftsFeature = {
  routes: { drafts: draftRoutes },
  state: [draftsState],
} satisfies Feature
