import {
  ApiError,
  type api,
  type DraftsEvent,
  maxDrafts,
  maxTotalDraftBytes,
  type ParamsOf,
  type ResponseOf,
} from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import type { EventFields } from '../../events/event-fields.ts'
import { lockSettings } from '../../identity/lock-settings.ts'
import { writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import { type InPieces, jsonInPieces } from '../../platform/pieces.ts'
import { checkDrafts } from './check-drafts.ts'
import {
  deleteDraft,
  findDraft,
  insertDrafts,
  listDraftsOfUser,
  measureDrafts,
  type NewDraft,
  updateDraft,
} from './queries.ts'

/** Lists the drafts of the account, sorted by their last edit, the newest last. */
export async function listDrafts(
  { db }: App,
  actor: Actor,
): Promise<InPieces<ResponseOf<typeof api.drafts.list>>> {
  const drafts = await listDraftsOfUser(db, actor)
  return {
    count: drafts.length,
    drafts: await jsonInPieces(drafts.reverse(), (draft) => JSON.stringify(draft)),
  }
}

export function createDrafts(
  app: App,
  actor: Actor,
  { drafts: draftsToSave }: ParamsOf<typeof api.drafts.create>,
): Promise<ResponseOf<typeof api.drafts.create>> {
  return changeDrafts(app, actor, async (tx) => {
    const { count } = await measureDrafts(tx, actor)
    if (count + draftsToSave.length > maxDrafts) throw new ApiError('DRAFTS_TOO_MANY', { limit: maxDrafts })
    const drafts = await insertDrafts(tx, actor, await checkDrafts(tx, actor, draftsToSave))
    await checkTotalSize(tx, actor)
    if (drafts.length > 0) emitDrafts(tx, actor, { op: 'add', drafts })
    return { ids: drafts.map(({ id }) => id) }
  })
}

export function editDraft(
  app: App,
  actor: Actor,
  { draft_id, draft: draftToSave }: ParamsOf<typeof api.drafts.edit>,
): Promise<object> {
  return changeDrafts(app, actor, async (tx) => {
    const stored = await findDraft(tx, actor, draft_id)
    if (!stored) throw new ApiError('DRAFT_DOES_NOT_EXIST')
    const [checked] = (await checkDrafts(tx, actor, [draftToSave], stored)) as [NewDraft]
    const draft = await updateDraft(tx, actor, draft_id, checked)
    await checkTotalSize(tx, actor)
    emitDrafts(tx, actor, { op: 'update', draft })
    return {}
  })
}

export function removeDraft(
  app: App,
  actor: Actor,
  { draft_id }: ParamsOf<typeof api.drafts.remove>,
): Promise<object> {
  return changeDrafts(app, actor, async (tx) => {
    if (!(await deleteDraft(tx, actor, draft_id))) throw new ApiError('DRAFT_DOES_NOT_EXIST')
    emitDrafts(tx, actor, { op: 'remove', draft_id })
    return {}
  })
}

/**
 * Runs `work` while the account's settings are locked, so that concurrent requests cannot exceed
 * the limits together.
 */
function changeDrafts<Result>(app: App, actor: Actor, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return writeAs(app, actor, async (tx) => {
    await lockSettings(tx, actor)
    return work(tx)
  })
}

async function checkTotalSize(tx: Tx, actor: Actor): Promise<void> {
  const { bytes } = await measureDrafts(tx, actor)
  if (bytes > maxTotalDraftBytes) throw new ApiError('DRAFTS_TOO_LARGE', { limit: maxTotalDraftBytes })
}

/** Emits a change to the owner's other clients only. */
function emitDrafts(tx: Tx, { organization_id, user_id }: Actor, change: EventFields<DraftsEvent>): void {
  emit(tx, { organization_id, event: { type: 'drafts', ...change }, to: { users: [user_id] } })
}
