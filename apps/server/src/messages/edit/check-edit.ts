import {
  ApiError,
  allOf,
  allowedBy,
  type api,
  type Decision,
  isAdministrator,
  type ParamsOf,
  type PropagateMode,
  refusedBy,
  type StreamId,
} from '@oxbow/contract'
import type { Actor } from '../../platform/actor.ts'
import type { OrganizationRow } from '../../platform/database/tables.ts'
import type { AccessedMessage } from '../access.ts'
import { checkEditedContent, checkTopic, lengthRuleFor, noTopic } from '../content/message-text.ts'

export type EditParams = ParamsOf<typeof api.messages.edit>

/** An edit that passed all checks that need only the message and the organization's rules. */
export interface Edit {
  content?: string
  topic?: string
  stream_id?: StreamId
  propagate_mode: PropagateMode
  /** Whether a notice about a move to another stream is posted in the old topic. */
  notifiesOldTopic: boolean
  /** Whether a notice about a move to another stream is posted in the new topic. */
  notifiesNewTopic: boolean
}

type Rules = Pick<
  OrganizationRow,
  | 'allow_message_editing'
  | 'message_content_edit_limit_seconds'
  | 'allow_community_topic_editing'
  | 'mandatory_topics'
>
type Message = Pick<AccessedMessage, 'is_private' | 'sender_id' | 'topic' | 'age'>
type Editor = Pick<Actor, 'role' | 'user_id'>

/** Extra time after a limit, so that a user can finish an edit that they began in time. */
const graceSeconds = 20
/** How long users other than the sender may change a message's topic. */
const maxCommunityEditSeconds = 86_400

/** Throws if the parameters are invalid for any message. */
export function checkEditParams(rules: Rules, params: EditParams): void {
  if (!decideEditing(rules).allowed) throw new ApiError('EDITING_DISABLED')
  const staysInPlace = params.topic === undefined && params.stream_id === undefined
  if (params.propagate_mode !== 'change_one' && staysInPlace) throw new ApiError('PROPAGATION_WITHOUT_TOPIC')
}

export function checkEdit(
  rules: Rules,
  editor: Editor & Pick<Actor, 'bot_type'>,
  message: Message,
  params: EditParams,
): Edit {
  requireEditPermission(rules, editor, message, params)
  const { content, stream_id, propagate_mode } = params
  // Private messages have no topic, so a topic in the request is ignored.
  const topic = message.is_private ? undefined : params.topic
  if (content === undefined && topic === undefined && stream_id === undefined)
    throw new ApiError('NOTHING_TO_EDIT')
  return {
    propagate_mode,
    notifiesOldTopic: params.send_notification_to_old_thread,
    notifiesNewTopic: params.send_notification_to_new_thread,
    ...(topic !== undefined && { topic: checkNewTopic(rules, editor, message, topic) }),
    ...(content !== undefined && { content: checkEditedContent(content, lengthRuleFor(editor)) }),
    ...(stream_id !== undefined && { stream_id }),
  }
}

/**
 * Returns the trimmed topic. A message without a topic may stay without one even if topics are
 * mandatory.
 */
function checkNewTopic(
  { mandatory_topics }: Rules,
  editor: Pick<Actor, 'bot_type'>,
  message: Message,
  content: string,
): string {
  const topic = checkTopic(content, lengthRuleFor(editor))
  if (mandatory_topics && topic === noTopic && message.topic !== noTopic)
    throw new ApiError('TOPICS_REQUIRED')
  return topic
}

type ContentChange = Partial<Pick<EditParams, 'content'>>

/**
 * Decides whether the organization allows editing at all. `decideMayEdit` checks the author and the
 * time limit afterwards. Nobody may change the content of another user's message.
 */
export const decideEditing = ({ allow_message_editing }: Rules): Decision =>
  allow_message_editing ? allowedBy('account') : refusedBy('editing_disabled')

export function decideMayEdit(
  rules: Rules,
  editor: Editor,
  message: Message,
  change: ContentChange,
): Decision {
  const editing = decideEditing(rules)
  const author = decideByAuthor(rules, editor, message, change)
  const isInTime = message.age <= getTimeLimitSeconds(rules, editor, message, change) + graceSeconds
  return allOf(editing, author, isInTime ? author : refusedBy('edit_time_over'))
}

function decideByAuthor(rules: Rules, editor: Editor, message: Message, change: ContentChange): Decision {
  if (message.sender_id === editor.user_id) return allowedBy('own_message')
  if (change.content !== undefined) return refusedBy('others_message')
  if (message.topic === noTopic) return allowedBy('topic_unnamed')
  if (isAdministrator(editor.role)) return allowedBy('administrator')
  return rules.allow_community_topic_editing ? allowedBy('community_topics') : refusedBy('others_message')
}

function getTimeLimitSeconds(rules: Rules, editor: Editor, message: Message, change: ContentChange): number {
  const { message_content_edit_limit_seconds: limit } = rules
  if (change.content !== undefined) return limit > 0 ? limit : Number.POSITIVE_INFINITY
  const isUnlimited =
    message.sender_id === editor.user_id || isAdministrator(editor.role) || message.topic === noTopic
  return isUnlimited ? Number.POSITIVE_INFINITY : maxCommunityEditSeconds
}

function requireEditPermission(rules: Rules, editor: Editor, message: Message, params: EditParams): void {
  const { allowed, rule } = decideMayEdit(rules, editor, message, params)
  if (allowed) return
  if (rule === 'editing_disabled') throw new ApiError('EDITING_DISABLED')
  throw new ApiError(rule === 'edit_time_over' ? 'EDIT_TIME_OVER' : 'CANNOT_EDIT_MESSAGE')
}
