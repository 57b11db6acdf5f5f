import { ApiError, foldTopic, type StreamId } from '@oxbow/contract'
import { writeAs } from '../../identity/write-as.ts'
import { createTopicLinker } from '../../organization/linkifiers/cached-linkifiers.ts'
import { getOrganization } from '../../organization/queries.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { lockStreamDirectory, lockStreamsShared } from '../../platform/database/locks.ts'
import { RetryTransaction } from '../../platform/database/transaction.ts'
import { getPerson, listStreamsById, loadActors } from '../../streams/queries.ts'
import { type AccessedMessage, accessMessageToChange, lockMessage } from '../access.ts'
import { arePagesPreviewed, type RenderedContent, renderContent } from '../content/message-text.ts'
import { getEmoticonSetting } from '../content/queries.ts'
import { proxyStoredPictures } from '../external-pictures/proxy-pictures.ts'
import { wakePreviews } from '../link-previews/requests.ts'
import { lockStreamsExclusively } from '../lock-streams.ts'
import { type GivesRight, givesNone, loadMessageRights, mayUseTopic } from '../rights.ts'
import { type ApprovedEdit, applyEdit } from './apply-edit.ts'
import {
  changesResolved,
  checkEdit,
  checkEditParams,
  type Edit,
  type EditParams,
  requireResolvePermission,
} from './check-edit.ts'
import { refuseAboveEditLimits } from './check-edit-limits.ts'
import { checkMove } from './check-move.ts'

/**
 * Edits or moves a message. The edit is checked twice: first without locks, to find out which
 * streams to lock, and again after locking.
 */
export async function editMessage(app: App, actor: Actor, params: EditParams): Promise<object> {
  const rendered = params.content === undefined ? undefined : await renderEdited(app, actor, params)
  const linkTopic = await createTopicLinker(app, actor.organization_id)
  const edited = await writeAs(app, actor, async (tx) => {
    const checked = await accessAndCheck(tx, actor, params, accessMessageToChange)
    const before = await locateEdit(tx, actor, checked.message, checked)
    await lockStreams(tx, actor, before)
    const { message, ...found } = await accessAndCheck(tx, actor, params, lockMessage)
    if (message.recipient_id !== checked.message.recipient_id)
      throw new RetryTransaction('the message was moved meanwhile')
    const shown = proxyStoredPictures(app, actor.organization_id, message)
    const decided = await locateEdit(tx, actor, shown, found)
    await refuseNewTopic(tx, actor, decided)
    await applyEdit(tx, actor, { ...decided, linkTopic }, rendered)
    return {}
  })
  if (rendered && rendered.pageLinks.length > 0) wakePreviews(app)
  return edited
}

interface CheckedEdit {
  message: AccessedMessage
  gives: GivesRight
  edit: Edit
}

async function accessAndCheck<Database extends Db>(
  db: Database,
  actor: Actor,
  params: EditParams,
  access: (db: Database, reader: Actor, id: EditParams['message_id']) => Promise<AccessedMessage>,
): Promise<CheckedEdit> {
  const rules = await getOrganization(db, actor.organization_id)
  checkEditParams(rules, params)
  const message = await access(db, actor, params.message_id)
  const isMoved = params.topic !== undefined || params.stream_id !== undefined
  const gives = isMoved ? await loadMessageRights(db, actor, message) : givesNone
  const edit = checkEdit(rules, actor, message, params, gives)
  if (changesResolved(message, edit) && !gives('can_resolve_topics_group'))
    requireResolvePermission(rules, await getPerson(db, actor))
  await refuseAboveEditLimits(db, actor, message, edit)
  return { message, gives, edit }
}

/**
 * Checks the edit and renders its content before any lock is taken, because rendering can take
 * long.
 */
async function renderEdited(app: App, actor: Actor, params: EditParams): Promise<RenderedContent> {
  const { edit } = await accessAndCheck(app.db, actor, params, accessMessageToChange)
  const organization = await getOrganization(app.db, actor.organization_id)
  return renderContent(app, actor, edit.content ?? '', {
    ...organization,
    origin: actor.origin,
    translate_emoticons: await getEmoticonSetting(app.db, actor),
    findsPages: arePagesPreviewed(app, organization, actor),
  })
}

type LocatedEdit = Omit<ApprovedEdit, 'linkTopic'>

async function locateEdit(
  db: Db,
  actor: Actor,
  message: AccessedMessage,
  { edit, gives }: Pick<CheckedEdit, 'edit' | 'gives'>,
): Promise<LocatedEdit> {
  const { is_private, recipient_id } = message
  const streamId = recipient_id as StreamId
  const ids = [...(is_private ? [] : [streamId]), ...(edit.stream_id === undefined ? [] : [edit.stream_id])]
  const streams = new Map((await listStreamsById(db, actor, ids)).map((stream) => [stream.id, stream]))
  const from = is_private ? undefined : streams.get(streamId)
  const to =
    edit.stream_id === undefined
      ? undefined
      : checkMove({ ...(await loadActors(db, actor)), gives }, edit, from, streams)
  return { message, edit, ...(from && { from }), ...(to && { to }) }
}

/** Throws if the edit starts a topic, also by moving messages, in a stream where the actor may not start any. */
async function refuseNewTopic(tx: Tx, actor: Actor, { message, edit, from, to }: LocatedEdit): Promise<void> {
  const { topic = message.topic } = edit
  const stream = to ?? from
  if (!stream || edit.togglesResolved || (!to && foldTopic(topic) === foldTopic(message.topic))) return
  if (!(await mayUseTopic(tx, actor, stream, topic))) throw new ApiError('CANNOT_START_TOPICS')
}

/**
 * Locks the streams of the edit. An edit that affects several messages takes an exclusive lock,
 * because two such edits could otherwise deadlock.
 */
async function lockStreams(tx: Tx, actor: Actor, { edit, from, to }: LocatedEdit): Promise<void> {
  if (!from) return
  if (to) await lockStreamsExclusively(tx, actor, [from.id, to.id])
  else if (edit.propagate_mode === 'change_one') {
    // A move emits lists of muted topics, which contain names of streams.
    if (edit.topic !== undefined) await lockStreamDirectory(tx, actor.organization_id, 'shared')
    await lockStreamsShared(tx, [from.id])
  } else await lockStreamsExclusively(tx, actor, [from.id])
}
