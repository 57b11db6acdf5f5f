import { ApiError, type api, type ParamsOf, PostPolicy, Role } from '@oxbow/contract'
import { emit } from '../events/emit.ts'
import type { Audience } from '../events/record.ts'
import { writeAs } from '../identity/write-as.ts'
import { refuseOnLimitedPlan } from '../organization/plans.ts'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/database/database.ts'
import { accessStreamToChange } from './access.ts'
import { whoSees } from './audiences.ts'
import { changePrivacy } from './change-privacy.ts'
import { tellChangedDefault } from './defaults/tell-defaults.ts'
import { renderDescription } from './descriptions.ts'
import { streamEmailAddress } from './email-address.ts'
import { streamUpdated } from './events.ts'
import { tellMutedTopics } from './muted-topics/tell-muted-topics.ts'
import { checkStreamName, foldName, oneLine } from './names.ts'
import { leaveNotices, noticeOfNewName } from './notices.ts'
import { getPerson, type StreamWithMembership, updateStreamRow } from './queries.ts'
import { readRetention } from './retention.ts'
import { removeBotsWithoutOwner } from './subscriptions/bots-and-owners.ts'
import { tellBotsOfStream } from './tell-bots.ts'

type Given = ParamsOf<typeof api.streams.update>

/** One after another in the order of the protocol, all of them or none. */
export async function updateStream(app: App, actor: Actor, given: Given): Promise<object> {
  const retention =
    given.message_retention_days === undefined ? undefined : readRetention(given.message_retention_days)
  const text = given.description === undefined ? undefined : oneLine(given.description)
  const rendered = text === undefined ? '' : await renderDescription(app, text)
  const policy = readPolicy(given)
  return writeAs(app, actor, async (tx) => {
    const before = await accessStreamToChange(tx, actor, given.stream_id)
    // Who may no longer see it after the call does not hear what it changed.
    const to = whoSees({ ...before, invite_only: before.invite_only || given.is_private === true })
    let stream = before
    if (retention !== undefined) stream = await changeRetention(tx, actor, stream, retention, to)
    if (text !== undefined) stream = await changeDescription(tx, stream, text, rendered, to)
    if (given.new_name !== undefined) stream = await rename(app, tx, actor, stream, given.new_name, to)
    if (policy !== undefined) stream = await changePolicy(tx, stream, policy, to)
    if (given.is_private !== undefined) stream = await changePrivacy(tx, actor, { before, stream }, given)
    if (stream !== before) await tellChangedDefault(tx, before, stream)
    if (stream.name !== before.name) {
      await tellMutedTopics(tx, stream)
      await tellBotsOfStream(tx, stream, stream.name)
    }
    // Last, because a private stream that they leave empty is archived.
    if (stream.invite_only && !before.invite_only) await removeBotsWithoutOwner(tx, stream)
    return {}
  })
}

/** The older parameter wins. */
function readPolicy({ is_announcement_only, stream_post_policy }: Given): PostPolicy | undefined {
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

async function rename(
  { config }: App,
  tx: Tx,
  actor: Actor,
  stream: Stream,
  given: string,
  to: Audience,
): Promise<Stream> {
  const name = given.trim()
  if (name === stream.name) throw new ApiError('STREAM_HAS_THAT_NAME')
  const renamed = { ...stream, name: checkStreamName(given), folded_name: foldName(name) }
  await updateStreamRow(tx, stream, { name: renamed.name, folded_name: renamed.folded_name })
  const value = streamEmailAddress(config, renamed)
  // Whoever never was in the stream was never shown its address.
  emit(tx, streamUpdated(stream, { property: 'email_address', value }, { stream: stream.id, former: true }))
  emit(tx, streamUpdated(stream, { property: 'name', value: name }, to))
  const by = await getPerson(tx, actor)
  await leaveNotices(tx, actor.organization_id, by, [noticeOfNewName(stream.id, by, stream.name, name)])
  return renamed
}

async function changePolicy(tx: Tx, stream: Stream, value: PostPolicy, to: Audience): Promise<Stream> {
  await updateStreamRow(tx, stream, { stream_post_policy: value })
  emit(tx, streamUpdated(stream, { property: 'stream_post_policy', value }, to))
  const isOnly = value === PostPolicy.administrators
  emit(tx, streamUpdated(stream, { property: 'is_announcement_only', value: isOnly }, to))
  return { ...stream, stream_post_policy: value }
}
