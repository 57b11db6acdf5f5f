import type { Attachment, api, ResponseOf, UploadId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { InPieces, Pieces } from '../../platform/pieces.ts'
import { getUsedSpace, listAttachments } from '../attachments/queries.ts'
import { viewAttachment } from '../attachments/views.ts'

type List = typeof api.uploads.list

/** Number of rows that are read at once. */
const pageSize = 100

/** Lists the actor's uploads. A long list is read and sent page by page. */
export async function listOwnAttachments({ db }: App, actor: Actor): Promise<InPieces<ResponseOf<List>>> {
  const { bytes: upload_space_used } = await getUsedSpace(db, actor.organization_id)
  const readAfter = async (id: UploadId | 0): Promise<Attachment[]> => {
    const rows = await listAttachments(db, actor, sql<boolean>`u.id > ${id}`, pageSize)
    return rows.map(viewAttachment)
  }
  const first = await readAfter(0)
  if (first.length < pageSize) return { attachments: first, upload_space_used }
  return { attachments: readPages(first, readAfter), upload_space_used }
}

async function* readPages(
  first: Attachment[],
  readAfter: (id: UploadId) => Promise<Attachment[]>,
): Pieces<Attachment> {
  for (let page = first; ; ) {
    yield page
    const last = page.at(-1)
    if (!last || page.length < pageSize) return
    page = await readAfter(last.id)
  }
}
