import {
  ApiError,
  type api,
  isAdministrator,
  type ParamsOf,
  type PropagateMode,
  type StreamId,
} from '@oxbow/contract'
import type { Actor } from '../../platform/actor.ts'
import type { OrganizationRow } from '../../platform/database/tables.ts'
import type { AccessedMessage } from '../access.ts'
import { checkEditedContent, checkTopic, noTopic } from '../content/draft.ts'

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
  if (!rules.allow_message_editing) throw new ApiError('EDITING_DISABLED')
  const staysInPlace = given.topic === undefined && given.stream_id === undefined
  if (given.propagate_mode !== 'change_one' && staysInPlace) throw new ApiError('PROPAGATION_WITHOUT_TOPIC')
}

export function checkEdit(rules: Rules, editor: Editor, message: Message, given: Given): Edit {
  refuseUnlessMayEdit(rules, editor, message, given)
  refuseIfTooLate(rules, editor, message, given)
  const { content, stream_id, propagate_mode } = given
  // Private messages have none, and whoever gives one is not understood to want anything.
  const topic = message.is_private ? undefined : given.topic
  if (content === undefined && topic === undefined && stream_id === undefined)
    throw new ApiError('NOTHING_TO_EDIT')
  return {
    propagate_mode,
    tellsOldPlace: given.send_notification_to_old_thread,
    tellsNewPlace: given.send_notification_to_new_thread,
    ...(topic !== undefined && { topic: checkNewTopic(rules, message, topic) }),
    ...(content !== undefined && { content: checkEditedContent(content) }),
    ...(stream_id !== undefined && { stream_id }),
  }
}

/** A message that has none may keep it so. */
function checkNewTopic({ mandatory_topics }: Rules, message: Message, given: string): string {
  const topic = checkTopic(given)
  if (mandatory_topics && topic === noTopic && message.topic !== noTopic)
    throw new ApiError('TOPICS_REQUIRED')
  return topic
}

/** Nobody changes what others said. */
function refuseUnlessMayEdit(rules: Rules, editor: Editor, message: Message, given: Given): void {
  if (message.sender_id === editor.user_id) return
  // Anyone may give a topic to what has none.
  const isOpen =
    message.topic === noTopic || isAdministrator(editor.role) || rules.allow_community_topic_editing
  if (given.content !== undefined || !isOpen) throw new ApiError('CANNOT_EDIT_MESSAGE')
}

function refuseIfTooLate(rules: Rules, editor: Editor, message: Message, given: Given): void {
  if (message.age <= limitFor(rules, editor, message, given) + grace) return
  throw new ApiError('EDIT_TIME_OVER')
}

function limitFor(rules: Rules, editor: Editor, message: Message, given: Given): number {
  const { message_content_edit_limit_seconds: limit } = rules
  if (given.content !== undefined) return limit > 0 ? limit : Number.POSITIVE_INFINITY
  const isFree =
    message.sender_id === editor.user_id || isAdministrator(editor.role) || message.topic === noTopic
  return isFree ? Number.POSITIVE_INFINITY : communityLimit
}
