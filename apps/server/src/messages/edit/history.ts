import {
  ApiError,
  type api,
  type MessageId,
  type MessageSnapshot,
  maxEditBytes,
  maxEdits,
  type ParamsOf,
  type ResponseOf,
} from '@oxbow/contract'
import { sql } from 'kysely'
import { getOrganization } from '../../organization/queries.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Db } from '../../platform/database/database.ts'
import type { MessageEditRow } from '../../platform/database/tables.ts'
import type { InPieces, Pieces } from '../../platform/pieces.ts'
import { accessMessage } from '../access.ts'
import { proxyStoredPictures } from '../external-pictures/proxy-pictures.ts'
import { diffVersions } from './diff-versions.ts'
import { hideEdits } from './hide-edits.ts'
import { editBytesBesideText, selectNewestEdits } from './queries.ts'
import { listVersions, type Version } from './versions.ts'

type History = typeof api.messages.history

/**
 * Maximum size of the listed edits. The limits of edits allow no more; only messages that were edited before there
 * were limits, or imported, may have more. Of those, the newest edits are listed.
 */
const maxHistoryBytes = maxEditBytes + maxEdits * editBytesBesideText

export async function getHistory(
  app: App,
  actor: Actor,
  { message_id }: ParamsOf<History>,
): Promise<InPieces<ResponseOf<History>>> {
  const { db } = app
  const { allow_edit_history } = await getOrganization(db, actor.organization_id)
  if (!allow_edit_history) throw new ApiError('EDIT_HISTORY_DISABLED')
  const message = await accessMessage(db, actor, message_id)
  const edits = await listEdits(db, actor, message.id)
  const visibleEdits = await hideEdits(db, actor, [message], edits)
  const withPictures = <Row extends object>(row: Row) => proxyStoredPictures(app, actor.organization_id, row)
  const versions = listVersions(withPictures(message), visibleEdits.map(withPictures))
  return { message_history: buildSnapshots(versions) }
}

async function listEdits(db: Db, actor: Actor, message_id: MessageId): Promise<MessageEditRow[]> {
  const newest = selectNewestEdits(actor, sql`${message_id}::bigint`, maxHistoryBytes)
  const { rows } = await sql<MessageEditRow>`select * from (${newest}) as edit order by id desc`.execute(db)
  return rows
}

/** Yields one version at a time, because comparing versions is slow and the diffs are long. */
async function* buildSnapshots(versions: readonly Version[]): Pieces<MessageSnapshot> {
  const compared = chooseCompared(versions)
  for (const version of versions) yield [await addDiff(version, compared)]
}

/**
 * Total length of the HTML that is compared for one history, in characters. Comparing this much takes less than a
 * second.
 */
const maxComparedLength = 600_000

/** Returns the newest versions whose HTML, with that of their previous versions, has `maxComparedLength`. */
function chooseCompared(versions: readonly Version[]): ReadonlySet<Version> {
  let length = 0
  const older = versions.toReversed().findIndex(({ rendered_content, prev_rendered_content }) => {
    if (prev_rendered_content !== undefined) length += rendered_content.length + prev_rendered_content.length
    return length > maxComparedLength
  })
  return new Set(older === -1 ? versions : versions.slice(versions.length - older))
}

/** Adds the diff to a version whose content changed. A version that is not compared has its HTML without marks. */
async function addDiff(version: Version, compared: ReadonlySet<Version>): Promise<MessageSnapshot> {
  const { rendered_content, prev_rendered_content } = version
  if (prev_rendered_content === undefined) return version
  const content_html_diff = compared.has(version)
    ? await diffVersions(prev_rendered_content, rendered_content)
    : rendered_content
  return { ...version, content_html_diff }
}
