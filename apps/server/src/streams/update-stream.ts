import {
  ApiError,
  type api,
  foldName,
  type ParamsOf,
  PostPolicy,
  Role,
  type StreamFolderId,
} from '@oxbow/contract'
import { emit } from '../events/emit.ts'
import type { Audience } from '../events/record.ts'
import { writeAs } from '../identity/write-as.ts'
import { refuseOnLimitedPlan } from '../organization/plans.ts'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/database/database.ts'
import { accessStreamToChange } from './access.ts'
import { getStreamAudience } from './audiences.ts'
import { changePrivacy } from './change-privacy.ts'
import { changeRights, changesRights, emitPostPolicy, storeRights } from './change-rights.ts'
import { emitDefaultsOfChangedStream } from './defaults/emit-defaults.ts'
import { streamEmailAddress } from './email-address.ts'
import { emitBotDefaultStreams } from './emit-bot-default-streams.ts'
import { streamUpdated } from './events.ts'
import { requireFolder } from './folders/change-folders.ts'
import { checkStreamName, toSingleLine } from './names.ts'
import { buildRenameNotice, enqueueNotices } from './notices.ts'
import { getPerson, type StreamWithMembership, updateStreamRow } from './queries.ts'
import { parseRetention } from './retention.ts'
import { removeBotsWithoutOwner } from './subscriptions/bots-and-owners.ts'
import { refuseLongDescriptions } from './subscriptions/limits.ts'
import { emitMutedTopics } from './topic-attention/events.ts'
import { listMutersInStream } from './topic-attention/queries.ts'

type Params = ParamsOf<typeof api.streams.update>

/** Applies all requested changes in the protocol's order, or none if one is refused. */
export async function updateStream(app: App, actor: Actor, params: Params): Promise<object> {
  const retention =
    params.message_retention_days === undefined ? undefined : parseRetention(params.message_retention_days)
  const text = params.description === undefined ? undefined : toSingleLine(params.description)
  const rendered = await app.markdown.renderShort(text ?? '')
  const policy = parsePolicy(params)
  const roles = changesRights(params) ? 'exclusive' : 'shared'
  const work = async (tx: Tx) => {
    const before = await accessStreamToChange(tx, actor, params.stream_id)
    // Users who lose access to the stream by this request get no events about its other changes.
    const to = getStreamAudience({ ...before, invite_only: before.invite_only || params.is_private === true })
    let stream = before
    if (retention !== undefined) stream = await changeRetention(tx, actor, stream, retention, to)
    if (text !== undefined) {
      stream = await changeDescription(tx, stream, text, rendered, to)
      // Descriptions can always be shortened.
      const growth = measureDescription(stream) - measureDescription(before)
      if (growth > 0) await refuseLongDescriptions(app, tx, actor)
    }
    if (params.new_name !== undefined)
      stream = await renameStream(app, tx, actor, stream, params.new_name, to)
    if (policy !== undefined) stream = await changePolicy(tx, stream, policy, to)
    if (params.folder_id !== undefined && params.folder_id !== stream.folder_id)
      stream = await changeFolder(tx, actor, stream, params.folder_id, to)
    if (changesRights(params)) stream = await changeRights(tx, stream, params, to)
    if (params.is_private !== undefined) stream = await changePrivacy(tx, actor, { before, stream }, params)
    if (stream !== before) await emitDefaultsOfChangedStream(tx, before, stream)
    if (stream.name !== before.name) {
      const muters = await listMutersInStream(tx, stream.organization_id, stream.id)
      // The lists identify the stream only by its name, and another stream may get the old one.
      await emitMutedTopics(tx, stream.organization_id, muters)
      await emitBotDefaultStreams(tx, stream, stream.name)
    }
    // This must be last, because a private stream is archived if no subscribers are left after its
    // bots are removed.
    if (stream.invite_only && !before.invite_only) await removeBotsWithoutOwner(tx, stream)
    return {}
  }
  return writeAs(app, actor, work, { roles })
}

const measureDescription = ({ description, rendered_description }: Stream): number =>
  description.length + rendered_description.length

/** Returns the requested post policy. `is_announcement_only`, the older parameter, takes precedence. */
function parsePolicy({ is_announcement_only, stream_post_policy }: Params): PostPolicy | undefined {
  if (is_announcement_only === undefined) return stream_post_policy
  return is_announcement_only ? PostPolicy.administrators : PostPolicy.everyone
}

type Stream = StreamWithMembership

async function changeRetention(
  tx: Tx,
  actor: Actor,
  stream: Stream,
  value: number | null,
  to: Audience,
): Promise<Stream> {
  if (actor.role !== Role.owner) throw new ApiError('MUST_BE_OWNER')
  await refuseOnLimitedPlan(tx, actor.organization_id)
  await updateStreamRow(tx, stream, { message_retention_days: value })
  emit(tx, streamUpdated(stream, { property: 'message_retention_days', value }, to))
  return { ...stream, message_retention_days: value }
}

async function changeDescription(
  tx: Tx,
  stream: Stream,
  description: string,
  rendered_description: string,
  to: Audience,
): Promise<Stream> {
  await updateStreamRow(tx, stream, { description, rendered_description })
  const change = { property: 'description', value: description, rendered_description }
  emit(tx, streamUpdated(stream, change, to))
  return { ...stream, description, rendered_description }
}

async function renameStream(
  { config }: App,
  tx: Tx,
  actor: Actor,
  stream: Stream,
  rawName: string,
  to: Audience,
): Promise<Stream> {
  const name = rawName.trim()
  if (name === stream.name) throw new ApiError('STREAM_HAS_THAT_NAME')
  const renamed = { ...stream, name: checkStreamName(rawName), folded_name: foldName(name) }
  await updateStreamRow(tx, stream, { name: renamed.name, folded_name: renamed.folded_name })
  const value = streamEmailAddress(config, renamed)
  // Users who were never subscribed do not get the stream's address.
  emit(tx, streamUpdated(stream, { property: 'email_address', value }, { stream: stream.id, former: true }))
  emit(tx, streamUpdated(stream, { property: 'name', value: name }, to))
  const by = await getPerson(tx, actor)
  await enqueueNotices(tx, actor.organization_id, by, [buildRenameNotice(stream.id, by, stream.name, name)])
  return renamed
}

async function changeFolder(
  tx: Tx,
  actor: Actor,
  stream: Stream,
  value: StreamFolderId | null,
  to: Audience,
): Promise<Stream> {
  if (value !== null) await requireFolder(tx, actor, value)
  await updateStreamRow(tx, stream, { folder_id: value })
  emit(tx, streamUpdated(stream, { property: 'folder_id', value }, to))
  return { ...stream, folder_id: value }
}

/** Sets who may post by a number, as clients of generation 27 do. A value of the right no longer applies. */
async function changePolicy(tx: Tx, before: Stream, value: PostPolicy, to: Audience): Promise<Stream> {
  const { can_send_message_group: _, ...rights } = before.rights
  const stream = { ...before, rights, stream_post_policy: value }
  await storeRights(tx, before, stream, to)
  // Clients get the number even if it did not change, as in the protocol.
  if (value === before.stream_post_policy) emitPostPolicy(tx, stream, to)
  return stream
}
