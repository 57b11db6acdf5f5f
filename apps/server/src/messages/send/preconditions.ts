import type { BotType, PostPolicy, Role, StreamId, UserId } from '@oxbow/contract'

/**
 * The state that decides whether and how a message is sent, as the database function `send_facts`
 * reads it. The statement that sends compares it with the current state, so a cached copy is safe
 * to use however old it is.
 */
export interface SendPreconditions {
  organization: {
    subdomain: string
    email_address_visibility: number
    private_message_policy: number
    inline_image_preview: boolean
    inline_url_embed_preview: boolean
    default_code_block_language: string | null
  }
  /** Null for system accounts. */
  sender: SenderState | null
  stream: TargetStream | null
  /** The recipients that exist, sorted by id. */
  people: RecipientState[] | null
}

export interface SenderState {
  id: UserId
  role: Role
  is_active: boolean
  /** Whether the sender's API key or session is still valid. */
  is_key_good: boolean
  bot_type: BotType | null
  full_name: string
  delivery_email: string
  avatar_source: 'external' | 'uploaded'
  avatar_version: number
  is_new: boolean
  translate_emoticons: boolean
  /** Whether the sender is a bot and the stream has no subscribers. */
  writes_unheard: boolean | null
  owner: { role: Role; is_new: boolean; is_subscribed: boolean | null } | null
}

export interface TargetStream {
  id: StreamId
  name: string
  folded_name: string
  invite_only: boolean
  is_archived: boolean
  stream_post_policy: PostPolicy
  has_messages: boolean
  /** Null where the sender was never subscribed. */
  is_subscribed: boolean | null
}

export interface RecipientState {
  id: UserId
  full_name: string
  delivery_email: string
  bot_type: BotType | null
  is_active: boolean
  is_system: boolean
}

/** Preconditions together with the exact text that the send statement compares. */
export interface LoadedPreconditions {
  text: string
  preconditions: SendPreconditions
}

export const parsePreconditions = (text: string): LoadedPreconditions => ({
  text,
  preconditions: JSON.parse(text) as SendPreconditions,
})
