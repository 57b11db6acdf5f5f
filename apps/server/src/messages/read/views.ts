import type { FetchedMessage, MessageFlag, Reaction, StreamId, Submessage, UserId } from '@oxbow/contract'
import {
  type AccountWithEmail,
  avatarUrl,
  canClientComputeAvatar,
  displayEmail,
} from '../../identity/accounts/public-account.ts'
import type { Account } from '../../identity/accounts/queries.ts'
import type { LinkTopic } from '../../organization/linkifiers/cached-linkifiers.ts'
import type { App } from '../../platform/app.ts'
import type { Config } from '../../platform/config/settings.ts'
import type { MessageEditRow, OrganizationRow } from '../../platform/database/tables.ts'
import { toLegacyType } from '../reactions/legacy-names.ts'
import type { ReactionWithUser } from '../reactions/queries.ts'
import { viewPeople } from '../views.ts'
import type { ShownMessage } from './shown-message.ts'

interface Context extends Pick<App, 'config' | 'secrets'> {
  organization: OrganizationRow
  accounts: ReadonlyMap<UserId, Account>
  /** Edits of each message, newest first. */
  edits: ReadonlyMap<number, readonly MessageEditRow[]>
  /** Reactions to each message, oldest first. */
  reactions: ReadonlyMap<number, readonly ReactionWithUser[]>
  /** Submessages of each message, ordered by id. */
  submessages: ReadonlyMap<number, readonly Submessage[]>
  linkTopic: LinkTopic
  legacyNames: boolean
  asHtml: boolean
  clientComputesAvatars: boolean
}

/** Converts a date to a Unix timestamp in whole seconds. */
export const seconds = (date: Date): number => Math.floor(date.getTime() / 1_000)

/**
 * Builds a message for the response of `GET /messages`. Messages in events are built in
 * `send/message-events.ts`.
 */
export function viewMessage(context: Context, message: ShownMessage): FetchedMessage {
  const { config, organization, accounts, asHtml } = context
  const sender = accounts.get(message.sender_id)
  if (!sender) throw new Error(`message ${message.id} has no sender`)
  const isComputedByClient = context.clientComputesAvatars && canClientComputeAvatar(sender)
  const common = {
    id: message.id,
    sender_id: sender.id,
    sender_email: displayEmail(config, sender),
    sender_full_name: sender.full_name,
    sender_realm_str: organization.subdomain,
    avatar_url: isComputedByClient ? null : avatarUrl(context, sender),
    client: message.client,
    content: asHtml ? message.rendered_content : message.content,
    content_type: asHtml ? ('text/html' as const) : ('text/x-markdown' as const),
    topic_links: context.linkTopic(message.topic),
    timestamp: seconds(message.sent_at),
    recipient_id: message.recipient_id,
    is_me_message: message.is_me_message,
    reactions: (context.reactions.get(message.id) ?? []).map((reaction) =>
      viewReaction(config, organization, context.legacyNames, reaction),
    ),
    submessages: (context.submessages.get(message.id) ?? []).map(viewSubmessage),
    ...viewEdits(context, message),
    flags: viewFlags(message),
    ...viewHighlights(message),
  }
  if (message.is_private) {
    const people = (message.members ?? []).flatMap((id) => accounts.get(id) ?? [])
    const display_recipient = viewPeople(config, organization, people)
    return { ...common, type: 'private', display_recipient, subject: '' }
  }
  const { topic } = message
  return {
    ...common,
    type: 'stream',
    stream_id: message.recipient_id as StreamId,
    display_recipient: message.stream_name ?? '',
    topic,
    subject: topic,
  }
}

const viewSubmessage = ({ id, message_id, sender_id, msg_type, content }: Submessage): Submessage => ({
  id,
  message_id,
  sender_id,
  msg_type,
  content,
})

function viewHighlights({ match_content, match_subject }: ShownMessage) {
  return match_content === undefined || match_subject === undefined ? {} : { match_content, match_subject }
}

function viewEdits({ organization, edits }: Context, { id, edited_at }: ShownMessage) {
  if (!edited_at) return {}
  const last_edit_timestamp = seconds(edited_at)
  if (!organization.allow_edit_history) return { last_edit_timestamp }
  return { last_edit_timestamp, edit_history: (edits.get(id) ?? []).map(viewEdit) }
}

function viewEdit(edit: MessageEditRow) {
  return {
    user_id: edit.user_id,
    timestamp: seconds(edit.edited_at),
    ...(edit.prev_content !== null && {
      prev_content: edit.prev_content,
      prev_rendered_content: edit.prev_rendered_content ?? '',
      prev_rendered_content_version: 1,
    }),
    ...(edit.prev_topic !== null && { prev_subject: edit.prev_topic }),
    ...(edit.prev_stream_id !== null && { prev_stream: edit.prev_stream_id }),
  }
}

/** The columns from which a user's flags on a message are derived. */
export type FlagState = Pick<
  ShownMessage,
  | 'is_received'
  | 'is_unread'
  | 'is_starred'
  | 'is_collapsed'
  | 'is_mentioned'
  | 'mentions_wildcard'
  | 'has_alert_word'
  | 'is_historical'
>

/**
 * Lists the flags of a message. A message that the reader did not receive has only `read` and
 * `historical`.
 */
export function viewFlags(message: FlagState): MessageFlag[] {
  if (!message.is_received) return ['read', 'historical']
  return [
    ...(message.is_unread ? [] : (['read'] as const)),
    ...(message.is_starred ? (['starred'] as const) : []),
    ...(message.is_collapsed ? (['collapsed'] as const) : []),
    ...(message.is_mentioned ? (['mentioned'] as const) : []),
    ...(message.mentions_wildcard ? (['wildcard_mentioned'] as const) : []),
    ...(message.has_alert_word ? (['has_alert_word'] as const) : []),
    ...(message.is_historical ? (['historical'] as const) : []),
  ]
}

function viewReaction(
  config: Config,
  { email_address_visibility }: Pick<AccountWithEmail, 'email_address_visibility'>,
  legacyNames: boolean,
  reaction: ReactionWithUser,
): Reaction {
  const { user_id, full_name, delivery_email, bot_type, reaction_type } = reaction
  const email = displayEmail(config, { id: user_id, delivery_email, bot_type, email_address_visibility })
  return {
    emoji_name: reaction.emoji_name,
    emoji_code: reaction.emoji_code,
    reaction_type: legacyNames ? toLegacyType(reaction_type) : reaction_type,
    user_id,
    user: { id: user_id, email, full_name },
  }
}
