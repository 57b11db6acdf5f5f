import type { StreamId, UserId } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import type { LinkTopic } from '../../linkifiers/link-topics.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { StreamWithMembership } from '../../streams/queries.ts'
import type { AccessedMessage } from '../access.ts'
import { getConversationAudience, listMessageAudiences, type MessageAudience } from '../audiences.ts'
import type { RenderedContent } from '../content/render-content.ts'
import type { Edit } from './check-edit.ts'
import { type Edited, messagesUpdated } from './events.ts'
import { moveMessages } from './move-messages.ts'
import { recordEdit, updateContent, updateTopic } from './queries.ts'
import { updateNotes } from './update-notes.ts'

/** An edit that was decided, with the message and its place held. */
export interface Decided {
  message: AccessedMessage
  edit: Edit
  linkTopic: LinkTopic
  /** The stream that the message is in, unless it is private. */
  from?: StreamWithMembership
  /** Where it goes, if that is another stream. */
  to?: StreamWithMembership
}

export async function applyEdit(
  tx: Tx,
  editor: UserId,
  decided: Decided,
  rendered: RenderedContent | undefined,
): Promise<void> {
  const { message, from, to } = decided
  const change = readChange(decided, rendered)
  if (rendered && change.content) {
    const { mentions_wildcard, has_link, has_image } = rendered
    await updateContent(tx, message, { ...change.content, mentions_wildcard, has_link, has_image })
    await updateNotes(tx, message, rendered)
  }
  const edited_at = await recordEdit(tx, message, editor, previousOf(message, change))
  const edited = { ...change, editor, edited_at, before: message }
  if (from && to) return moveMessages(tx, { ...edited, from, to }, decided.edit)
  for (const hearing of await changePlace(tx, edited, from)) emit(tx, messagesUpdated(edited, hearing))
}

type Change = Omit<Edited, 'editor' | 'edited_at' | 'before'>

function readChange(
  { message, edit, linkTopic, from, to }: Decided,
  rendered: RenderedContent | undefined,
): Change {
  const { content, propagate_mode, stream_id } = edit
  // To "move" a message to where it is, is to give it the topic that it has.
  const topic = edit.topic ?? (stream_id !== undefined && !to ? message.topic : undefined)
  return {
    propagate_mode,
    ...(from && { from }),
    ...(to && { to }),
    ...(topic !== undefined && { topic, topic_links: linkTopic(topic) }),
    ...(content !== undefined && rendered && { content: { content, rendered_content: rendered.html } }),
  }
}

function previousOf(message: AccessedMessage, { content, topic, to }: Change) {
  return {
    ...(content && { prev_content: message.content, prev_rendered_content: message.rendered_content }),
    ...(topic !== undefined && { prev_topic: message.topic }),
    ...(to && { prev_stream_id: message.recipient_id as StreamId }),
  }
}

/** Within its stream. Returns who hears of it. */
async function changePlace(
  tx: Tx,
  { before, topic, propagate_mode }: Edited,
  from: StreamWithMembership | undefined,
): Promise<MessageAudience[]> {
  if (!from) return [await getConversationAudience(tx, before.organization_id, before)]
  if (topic === undefined) return listMessageAudiences(tx, from, [before])
  return listMessageAudiences(tx, from, await updateTopic(tx, before, propagate_mode, topic))
}
