import {
  type BotType,
  foldName,
  type OrganizationId,
  type PostPolicy,
  type Role,
  type StreamId,
  type StreamRights,
  type UserGroupId,
  type UserId,
} from '@oxbow/contract'
import { displayEmail } from '../../identity/accounts/public-account.ts'
import type { Actor, Credential } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { BoundedCache } from '../../platform/bounded-cache.ts'
import type { Db } from '../../platform/database/database.ts'
import { bindFunction, loadFunctionFile } from '../../platform/database/function-files.ts'
import { perNode } from '../../platform/per-node.ts'

/**
 * The state that decides whether and how a message is sent, as read by the SQL function
 * `send_preconditions`. The statement that sends compares it with the current state, so a cached
 * copy of any age is safe to use.
 */
export interface SendPreconditions {
  organization: {
    subdomain: string
    email_address_visibility: number
    private_message_policy: number
    inline_image_preview: boolean
    inline_url_embed_preview: boolean
    default_code_block_language: string | null
    mandatory_topics: boolean
    is_deactivated: boolean
  }
  /** Null for system accounts. */
  sender: SenderState | null
  stream: TargetStream | null
  /** The ids of the groups of the sender and of its owner, by account. Null if the stream gives no rights. */
  groups: Readonly<Record<UserId, readonly UserGroupId[]>> | null
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
  /** Accounts that muted the sender. For them the message is read from the start. */
  muted_by: readonly UserId[]
  translate_emoticons: boolean
  /**
   * Whether the sender is a bot and the stream has no subscribers. Null if the sender is not a bot
   * or the destination is not a stream.
   */
  writes_unheard: boolean | null
  owner: { id: UserId; role: Role; is_new: boolean; is_subscribed: boolean | null } | null
}

export interface TargetStream {
  id: StreamId
  name: string
  folded_name: string
  invite_only: boolean
  is_archived: boolean
  stream_post_policy: PostPolicy
  rights: StreamRights
  has_messages: boolean
  /** Null if the sender was never subscribed. */
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

/** The sending account. System accounts have no credential. */
export interface Sender {
  organization_id: OrganizationId
  user_id: UserId
  credential: Credential | null
}

/** The stream that the message is sent to, or the members of the conversation. */
export type Destination = { stream: StreamId } | { people: readonly UserId[] }

/** The SQL functions that send a message. */
export const sendFunctions = loadFunctionFile('messages/send/send-message.sql')

interface PreconditionsRequest {
  organization: OrganizationId
  account: UserId
  key_hash: Buffer | null
  stream: StreamId | null
  people: readonly UserId[] | null
}

const callSendPreconditions = bindFunction<PreconditionsRequest, { result: string | null }>(
  sendFunctions,
  'send_preconditions',
)

export async function readSendPreconditions(
  db: Db,
  { organization_id, user_id, credential }: Sender,
  to: Destination,
): Promise<LoadedPreconditions> {
  const { result } = await callSendPreconditions(db, {
    organization: organization_id,
    account: user_id,
    key_hash: credential?.hash ?? null,
    stream: 'stream' in to ? to.stream : null,
    people: 'people' in to ? to.people : null,
  })
  return parsePreconditions(result ?? 'null')
}

/** The destination of a message as specified in the request. */
export type Recipient =
  | { kind: 'stream'; stream: string | number }
  | { kind: 'people'; people: readonly string[] | readonly number[] }

/** Returns the destination for which the preconditions were read. */
export function getDestination({ stream, people }: SendPreconditions): Destination {
  if (stream) return { stream: stream.id }
  return { people: (people ?? []).map(({ id }) => id) }
}

/**
 * Maximum number of cached preconditions. Caching helps because most users write to the same
 * destinations again.
 */
const maxCachedPreconditions = 5_000

/** Preconditions of recent sends, by sender and destination. */
const preconditionCache = perNode({
  name: 'preconditions of sends',
  create: () => new BoundedCache<string, LoadedPreconditions>(maxCachedPreconditions),
  countEntries: ({ size }) => size,
})

/**
 * Returns functions that read and write the cached preconditions of this sender for this recipient.
 */
export function cachePreconditions(app: App, actor: Actor, recipient: Recipient) {
  const cache = preconditionCache(app)
  const named = recipient.kind === 'stream' ? recipient.stream : recipient.people
  const key = `${actor.organization_id} ${actor.user_id} ${JSON.stringify(named)}`
  return {
    get(): LoadedPreconditions | undefined {
      const found = cache.get(key)
      return found && isApplicable(app, actor, recipient, found.preconditions) ? found : undefined
    },
    set: (known: LoadedPreconditions) => void cache.set(key, known),
    delete: () => cache.delete(key),
  }
}

/**
 * Returns whether preconditions that were read earlier can apply to this request: the sender must
 * have the same role, and the names must still refer to the same stream or people.
 */
export function isApplicable(
  { config }: App,
  actor: Actor,
  recipient: Recipient,
  preconditions: SendPreconditions,
): boolean {
  if (preconditions.sender?.role !== actor.role) return false
  if (recipient.kind === 'stream') {
    const { stream } = recipient
    return typeof stream === 'number' || preconditions.stream?.folded_name === foldName(stream)
  }
  const people = preconditions.people ?? []
  const emails = new Set(
    people.map((person) => displayEmail(config, { ...person, ...preconditions.organization }).toLowerCase()),
  )
  return recipient.people.every((named) =>
    typeof named === 'number'
      ? people.some(({ id }) => id === named) || named === actor.user_id
      : emails.has(named.toLowerCase()),
  )
}
