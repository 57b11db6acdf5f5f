import type { BotType, PostPolicy, Role, StreamId, UserId } from '@oxbow/contract'

/**
 * What a send is decided by, as the database function `send_facts` reads it. The send itself compares it with what is
 * so at that moment, so it may be remembered for as long as one likes.
 */
export interface Facts {
  organization: {
    subdomain: string
    email_address_visibility: number
    private_message_policy: number
    inline_image_preview: boolean
    default_code_block_language: string | null
  }
  /** Null where the server itself sends. */
  sender: SenderFacts | null
  stream: StreamFacts | null
  /** Those of the people who exist, by id. */
  people: PersonFacts[] | null
}

export interface SenderFacts {
  id: UserId
  role: Role
  is_active: boolean
  is_key_good: boolean
  bot_type: BotType | null
  full_name: string
  delivery_email: string
  avatar_source: 'external' | 'uploaded'
  avatar_version: number
  is_new: boolean
  translate_emoticons: boolean
  /** A bot writes to a stream that nobody is in. */
  writes_unheard: boolean | null
  owner: { role: Role; is_new: boolean; is_subscribed: boolean | null } | null
}

export interface StreamFacts {
  id: StreamId
  name: string
  folded_name: string
  invite_only: boolean
  is_archived: boolean
  stream_post_policy: PostPolicy
  has_messages: boolean
  /** Null: never was. */
  is_subscribed: boolean | null
}

export interface PersonFacts {
  id: UserId
  full_name: string
  delivery_email: string
  bot_type: BotType | null
  is_active: boolean
  is_system: boolean
}

/** Facts with the very text that the send compares. */
export interface KnownFacts {
  text: string
  facts: Facts
}

export const readFacts = (text: string): KnownFacts => ({ text, facts: JSON.parse(text) as Facts })

const most = 5_000

/** The facts of the last sends, by who sent and where to: most people write where they wrote before. */
export class RememberedFacts {
  readonly #known = new Map<string, KnownFacts>()

  get(key: string): KnownFacts | undefined {
    return this.#known.get(key)
  }

  set(key: string, known: KnownFacts): void {
    this.#known.delete(key)
    this.#known.set(key, known)
    if (this.#known.size <= most) return
    for (const oldest of this.#known.keys()) {
      this.#known.delete(oldest)
      return
    }
  }

  delete(key: string): void {
    this.#known.delete(key)
  }
}
