import type { api } from '@oxbow/contract'
import type { Routes } from '../platform/http/bind.ts'
import { createDrafts, editDraft, listDrafts, removeDraft } from './change-drafts.ts'

export const draftRoutes: Routes<typeof api.drafts> = {
  list: listDrafts,
  create: createDrafts,
  edit: editDraft,
  remove: removeDraft,
}
