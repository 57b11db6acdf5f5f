import { ApiError, type api, type MessageSnapshot, type ParamsOf, type ResponseOf } from '@oxbow/contract'
import { proxyStoredPictures } from '../../external-pictures/proxy-pictures.ts'
import { getOrganization } from '../../organization/queries.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { InPieces, Pieces } from '../../platform/pieces.ts'
import { accessMessage } from '../access.ts'
import { listEdits } from '../read/list-page.ts'
import { diffVersions } from './diff-versions.ts'
import { hideEdits } from './hide-edits.ts'
import { listVersions, type Version } from './versions.ts'

type History = typeof api.messages.history

export async function getHistory(
  app: App,
  actor: Actor,
  { message_id }: ParamsOf<History>,
): Promise<InPieces<ResponseOf<History>>> {
  const { db } = app
  const { allow_edit_history } = await getOrganization(db, actor.organization_id)
  if (!allow_edit_history) throw new ApiError('EDIT_HISTORY_DISABLED')
  const message = await accessMessage(db, actor, message_id)
  const edits = await listEdits(db, actor.organization_id, [message.id])
  const visibleEdits = await hideEdits(db, actor, [message], edits)
  const withPictures = <Row extends object>(row: Row) => proxyStoredPictures(app, actor.organization_id, row)
  const versions = listVersions(withPictures(message), visibleEdits.map(withPictures))
  return { message_history: buildSnapshots(versions) }
}

/** Yields one version at a time, because comparing versions is slow and the diffs are long. */
async function* buildSnapshots(versions: readonly Version[]): Pieces<MessageSnapshot> {
  for (const version of versions) yield [await addDiff(version)]
}

async function addDiff(version: Version): Promise<MessageSnapshot> {
  const { prev_rendered_content } = version
  if (prev_rendered_content === undefined) return version
  const content_html_diff = await diffVersions(prev_rendered_content, version.rendered_content)
  return { ...version, content_html_diff }
}
