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
import { checkEditedContent, checkTopic, lengthRuleFor, noTopic } from '../content/draft.ts'

export type Given = ParamsOf<typeof api.messages.edit>

/** An edit that its message can have, as far as the message itself tells. */
export interface Edit {
  content?: string
  topic?: string
  stream_id?: StreamId
  propagate_mode: PropagateMode
  /** Where it was, and where it is now, people are told of a move to another stream. */
  tellsOldPlace: boolean
  tellsNewPlace: boolean
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

/** Whoever began in time is let finish. */
const grace = 20
/** Others than the sender keep topics in order while they are new. */
const communityLimit = 86_400

/** Without a look at the message. */
export function refuseBeforehand(rules: Rules, given: Given): void {
  if (!decideEditing(rules).allowed) throw new ApiError('EDITING_DISABLED')
  const staysInPlace = given.topic === undefined && given.stream_id === undefined
  if (given.propagate_mode !== 'change_one' && staysInPlace) throw new ApiError('PROPAGATION_WITHOUT_TOPIC')
}

export function checkEdit(
  rules: Rules,
  editor: Editor & Pick<Actor, 'bot_type'>,
  message: Message,
  given: Given,
): Edit {
  refuseUnlessMayEdit(rules, editor, message, given)
  const { content, stream_id, propagate_mode } = given
  // Private messages have none, and whoever gives one is not understood to want anything.
  const topic = message.is_private ? undefined : given.topic
  if (content === undefined && topic === undefined && stream_id === undefined)
    throw new ApiError('NOTHING_TO_EDIT')
  return {
    propagate_mode,
    tellsOldPlace: given.send_notification_to_old_thread,
    tellsNewPlace: given.send_notification_to_new_thread,
    ...(topic !== undefined && { topic: checkNewTopic(rules, editor, message, topic) }),
    ...(content !== undefined && { content: checkEditedContent(content, lengthRuleFor(editor)) }),
    ...(stream_id !== undefined && { stream_id }),
  }
}

/** A message that has none may keep it so. */
function checkNewTopic(
  { mandatory_topics }: Rules,
  editor: Pick<Actor, 'bot_type'>,
  message: Message,
  given: string,
): string {
  const topic = checkTopic(given, lengthRuleFor(editor))
  if (mandatory_topics && topic === noTopic && message.topic !== noTopic)
    throw new ApiError('TOPICS_REQUIRED')
  return topic
}

type Wish = Partial<Pick<Given, 'content'>>

/** Whether messages may be edited at all, then by whom, then for how long. Nobody changes what others said. */
export const decideEditing = ({ allow_message_editing }: Rules): Decision =>
  allow_message_editing ? allowedBy('account') : refusedBy('editing_disabled')

export function decideToEdit(rules: Rules, editor: Editor, message: Message, given: Wish): Decision {
  const editing = decideEditing(rules)
  const author = decideByAuthor(rules, editor, message, given)
  const isInTime = message.age <= limitFor(rules, editor, message, given) + grace
  return allOf(editing, author, isInTime ? author : refusedBy('edit_time_over'))
}

function decideByAuthor(rules: Rules, editor: Editor, message: Message, given: Wish): Decision {
  if (message.sender_id === editor.user_id) return allowedBy('own_message')
  if (given.content !== undefined) return refusedBy('others_message')
  if (message.topic === noTopic) return allowedBy('topic_unnamed')
  if (isAdministrator(editor.role)) return allowedBy('administrator')
  return rules.allow_community_topic_editing ? allowedBy('community_topics') : refusedBy('others_message')
}

function limitFor(rules: Rules, editor: Editor, message: Message, given: Wish): number {
  const { message_content_edit_limit_seconds: limit } = rules
  if (given.content !== undefined) return limit > 0 ? limit : Number.POSITIVE_INFINITY
  const isFree =
    message.sender_id === editor.user_id || isAdministrator(editor.role) || message.topic === noTopic
  return isFree ? Number.POSITIVE_INFINITY : communityLimit
}

function refuseUnlessMayEdit(rules: Rules, editor: Editor, message: Message, given: Given): void {
  const { allowed, rule } = decideToEdit(rules, editor, message, given)
  if (allowed) return
  if (rule === 'editing_disabled') throw new ApiError('EDITING_DISABLED')
  throw new ApiError(rule === 'edit_time_over' ? 'EDIT_TIME_OVER' : 'CANNOT_EDIT_MESSAGE')
}
