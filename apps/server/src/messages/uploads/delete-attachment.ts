import { ApiError, type api, type ParamsOf } from '@oxbow/contract'
import { writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { isOwnUpload } from '../attachments/queries.ts'
import { removeUploads } from '../attachments/remove-uploads.ts'

/** Deletes one of the actor's uploads. Messages that refer to it keep their links. */
export async function deleteAttachment(
  app: App,
  actor: Actor,
  { attachment_id }: ParamsOf<typeof api.uploads.remove>,
): Promise<object> {
  return writeAs(app, actor, async (tx) => {
    const isOwn = isOwnUpload(actor.user_id)
    const removed = await removeUploads(tx, actor.organization_id, [attachment_id], isOwn)
    if (removed.length === 0) throw new ApiError('INVALID_ATTACHMENT')
    return {}
  })
}
