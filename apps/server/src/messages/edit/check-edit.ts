import {
  ApiError,
  allOf,
  allowedBy,
  type api,
  type Decision,
  foldTopic,
  isAdministrator,
  isModerator,
  isResolvedTopic,
  type ParamsOf,
  type PropagateMode,
  refusedBy,
  type StreamId,
  unmarkTopic,
} from '@oxbow/contract'
import { decideMayResolveTopics, type ResolvePolicies } from '../../organization/permissions.ts'
import type { Actor } from '../../platform/actor.ts'
import type { OrganizationRow, UserRow } from '../../platform/database/tables.ts'
import type { AccessedMessage } from '../access.ts'
import { checkEditedContent, checkTopic, lengthRuleFor, noTopic } from '../content/message-text.ts'
import { type GivesRight, givesNone } from '../rights.ts'

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
  /** Whether the edit only resolves the whole topic, or only opens it again. */
  togglesResolved: boolean
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
type Resolver = Pick<UserRow, 'role' | 'date_joined'>

/** Extra time after a limit, so that a user can finish an edit that they began in time. */
const graceSeconds = 20
/** How long users other than the sender may change a message's topic. */
const maxCommunityEditSeconds = 86_400

/** Throws if the parameters are invalid for any message. */
export function checkEditParams(rules: Rules, params: EditParams): void {
  if (!mayOnlyResolve(params) && !decideEditing(rules).allowed) throw new ApiError('EDITING_DISABLED')
  const staysInPlace = params.topic === undefined && params.stream_id === undefined
  if (params.propagate_mode !== 'change_one' && staysInPlace) throw new ApiError('PROPAGATION_WITHOUT_TOPIC')
}

export function checkEdit(
  rules: Rules,
  editor: Editor & Pick<Actor, 'bot_type'>,
  message: Message,
  params: EditParams,
  gives: GivesRight = givesNone,
): Edit {
  const togglesResolved = isOnlyResolving(message, params)
  if (!togglesResolved) requireEditPermission(rules, editor, message, params, gives)
  const { content, stream_id, propagate_mode } = params
  // Private messages have no topic, so a topic in the request is ignored.
  const topic = message.is_private ? undefined : params.topic
  if (content === undefined && topic === undefined && stream_id === undefined)
    throw new ApiError('NOTHING_TO_EDIT')
  return {
    propagate_mode,
    togglesResolved,
    notifiesOldTopic: params.send_notification_to_old_thread,
    notifiesNewTopic: params.send_notification_to_new_thread,
    ...(topic !== undefined && { topic: checkNewTopic(rules, editor, message, topic) }),
    ...(content !== undefined && { content: checkEditedContent(content, lengthRuleFor(editor)) }),
    ...(stream_id !== undefined && { stream_id }),
  }
}

/** Returns whether the edit may be one that only resolves the topic of its message, or opens it again. */
const mayOnlyResolve = ({ topic, content, stream_id, propagate_mode }: EditParams): boolean =>
  topic !== undefined && content === undefined && stream_id === undefined && propagate_mode === 'change_all'

const isOnlyResolving = (message: Message, params: EditParams): boolean =>
  !message.is_private && mayOnlyResolve(params) && differsInMark(message.topic, params.topic?.trim() ?? '')

/** Returns whether two names are of one topic, of which one is resolved. */
const differsInMark = (one: string, other: string): boolean =>
  isResolvedTopic(one) !== isResolvedTopic(other) &&
  foldTopic(unmarkTopic(one)) === foldTopic(unmarkTopic(other))

/**
 * Returns whether the edit resolves topics or opens them again, alone or beside other changes. Moving a
 * single message into a resolved topic, or out of it, does not.
 */
export const changesResolved = (
  message: Pick<Message, 'topic'>,
  { topic, propagate_mode }: Pick<Edit, 'topic' | 'propagate_mode'>,
): boolean =>
  topic !== undefined &&
  (differsInMark(message.topic, topic) ||
    (propagate_mode !== 'change_one' && isResolvedTopic(message.topic) !== isResolvedTopic(topic)))

/** Throws if the account may not resolve topics. */
export function requireResolvePermission(rules: ResolvePolicies, resolver: Resolver): void {
  if (!decideMayResolveTopics(rules, resolver).allowed) throw new ApiError('CANNOT_RESOLVE_TOPIC')
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
  gives: GivesRight,
): Decision {
  const editing = decideEditing(rules)
  const author = decideByAuthor(rules, editor, message, change, gives)
  const isInTime = message.age <= getTimeLimitSeconds(rules, author, change) + graceSeconds
  return allOf(editing, author, isInTime ? author : refusedBy('edit_time_over'))
}

function decideByAuthor(
  rules: Rules,
  editor: Editor,
  message: Message,
  change: ContentChange,
  gives: GivesRight,
): Decision {
  if (message.sender_id === editor.user_id) return allowedBy('own_message')
  if (change.content !== undefined) return refusedBy('others_message')
  if (message.topic === noTopic) return allowedBy('topic_unnamed')
  if (isAdministrator(editor.role)) return allowedBy('administrator')
  if (isModerator(editor.role)) return allowedBy('moderator')
  if (gives('can_move_messages_within_channel_group')) return allowedBy('stream_right')
  return rules.allow_community_topic_editing ? allowedBy('community_topics') : refusedBy('others_message')
}

/** Returns the time limit for an edit that the author decision allows. Topics have one only for other members. */
function getTimeLimitSeconds(rules: Rules, { rule }: Decision, change: ContentChange): number {
  const { message_content_edit_limit_seconds: limit } = rules
  if (change.content !== undefined) return limit > 0 ? limit : Number.POSITIVE_INFINITY
  return rule === 'community_topics' ? maxCommunityEditSeconds : Number.POSITIVE_INFINITY
}

function requireEditPermission(
  rules: Rules,
  editor: Editor,
  message: Message,
  params: EditParams,
  gives: GivesRight,
): void {
  const { allowed, rule } = decideMayEdit(rules, editor, message, params, gives)
  if (allowed) return
  if (rule === 'editing_disabled') throw new ApiError('EDITING_DISABLED')
  throw new ApiError(rule === 'edit_time_over' ? 'EDIT_TIME_OVER' : 'CANNOT_EDIT_MESSAGE')
}
