import { foldTopic, type StreamId } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import type { LinkTopic } from '../../organization/linkifiers/cached-linkifiers.ts'
import type { Tx } from '../../platform/database/database.ts'
import { buildResolveNotice, enqueueNotices } from '../../streams/notices.ts'
import { getPerson, type StreamWithMembership } from '../../streams/queries.ts'
import { isTopicEmpty, moveAttention } from '../../streams/topic-attention/move-attention.ts'
import type { AccessedMessage } from '../access.ts'
import { updateClaims } from '../attachments/claim-uploads.ts'
import { getConversationAudience, listMessageAudiences, type MessageAudience } from '../audiences.ts'
import type { RenderedContent } from '../content/message-text.ts'
import { replacePreviewRequest } from '../link-previews/requests.ts'
import type { Reader } from '../visibility.ts'
import type { Edit } from './check-edit.ts'
import { type Edited, messagesUpdated } from './events.ts'
import { moveMessages } from './move-messages.ts'
import { recordEdit, updateContent, updateTopic } from './queries.ts'
import { updateUserFlags } from './update-user-flags.ts'

/** An edit that passed all checks after the message and its streams were locked. */
export interface ApprovedEdit {
  message: AccessedMessage
  edit: Edit
  linkTopic: LinkTopic
  /** The message's stream; absent for private messages. */
  from?: StreamWithMembership
  /** The stream that the message moves to, if any. */
  to?: StreamWithMembership
}

export async function applyEdit(
  tx: Tx,
  editor: Reader,
  decided: ApprovedEdit,
  rendered: RenderedContent | undefined,
): Promise<void> {
  const { message, from, to } = decided
  const change = buildChange(decided, rendered)
  if (rendered && change.content) {
    const { mentions_wildcard, has_link, has_image } = rendered
    await updateContent(tx, message, { ...change.content, mentions_wildcard, has_link, has_image })
    await updateUserFlags(tx, message, rendered)
    await updateClaims(tx, editor, message.id, rendered.uploads)
    await replacePreviewRequest(tx, message, change.content.content, rendered.pageLinks)
  }
  const edited_at = await recordEdit(tx, message, editor.user_id, getPreviousValues(message, change))
  const edited = { ...change, editor: editor.user_id, edited_at, before: message }
  await withAttention(tx, edited, async () => {
    if (from && to) return moveMessages(tx, { ...edited, from, to }, decided.edit)
    for (const audience of await updateTopicAndListAudiences(tx, edited, from))
      emit(tx, messagesUpdated(edited, audience))
  })
  if (from && !to && decided.edit.togglesResolved) await leaveResolveNotice(tx, edited, from)
}

/** Enqueues the notice about a topic that was resolved or opened again. */
async function leaveResolveNotice(
  tx: Tx,
  { before: { organization_id }, topic = '', editor: user_id }: Edited,
  { id }: StreamWithMembership,
): Promise<void> {
  const by = await getPerson(tx, { organization_id, user_id })
  await enqueueNotices(tx, organization_id, by, [buildResolveNotice(by, { stream_id: id, topic })])
}

/** Moves messages, and then the attention of users to their topic if no message is left in it. */
async function withAttention(
  tx: Tx,
  { before, from, to, topic = before.topic }: Edited,
  move: () => Promise<void>,
): Promise<void> {
  const { organization_id } = before
  if (!from || (!to && foldTopic(topic) === before.folded_topic)) return move()
  const [source, target] = [
    { stream_id: from.id, topic: before.topic },
    { stream_id: (to ?? from).id, topic },
  ]
  const isNewTopic = await isTopicEmpty(tx, organization_id, target)
  await move()
  if (await isTopicEmpty(tx, organization_id, source))
    await moveAttention(tx, { organization_id, from: source, to: target, isNewTopic })
}

type Change = Omit<Edited, 'editor' | 'edited_at' | 'before'>

function buildChange(
  { message, edit, linkTopic, from, to }: ApprovedEdit,
  rendered: RenderedContent | undefined,
): Change {
  const { content, propagate_mode, stream_id } = edit
  // A move to the message's current stream is recorded as setting its current topic again.
  const topic = edit.topic ?? (stream_id !== undefined && !to ? message.topic : undefined)
  return {
    propagate_mode,
    ...(from && { from }),
    ...(to && { to }),
    ...(topic !== undefined && { topic, topic_links: linkTopic(topic) }),
    ...(content !== undefined && rendered && { content: { content, rendered_content: rendered.html } }),
  }
}

function getPreviousValues(message: AccessedMessage, { content, topic, to }: Change) {
  return {
    ...(content && { prev_content: message.content, prev_rendered_content: message.rendered_content }),
    ...(topic !== undefined && { prev_topic: message.topic }),
    ...(to && { prev_stream_id: message.recipient_id as StreamId }),
  }
}

/** Applies a topic change within the stream and returns the audiences of the event. */
async function updateTopicAndListAudiences(
  tx: Tx,
  { before, topic, propagate_mode }: Edited,
  from: StreamWithMembership | undefined,
): Promise<MessageAudience[]> {
  if (!from) return [await getConversationAudience(tx, before.organization_id, before)]
  if (topic === undefined) return listMessageAudiences(tx, from, [before])
  return listMessageAudiences(tx, from, await updateTopic(tx, before, propagate_mode, topic))
}
