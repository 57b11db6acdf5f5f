import type { BotType, OrganizationId, Role, UserId } from '@oxbow/contract'

/** How a call reached us, for those who have an account and those who have none. */
export interface Caller {
  /** The organization's short name by the host that was called; empty on the root host, null on a foreign one. */
  readonly subdomain: string | null
  /** Scheme and host that the caller used or the configuration names, without a slash at the end. */
  readonly origin: string
  /** The caller's IP address. */
  readonly address: string
  /** The name of the program that calls. */
  readonly client: string
  /** The program is one of the older product: it knows fields and parameters by their older names. */
  readonly legacyNames: boolean
  /** The program may depend on the older names of the version fields. */
  readonly legacyVersions: boolean
  /** The program wants an answer that goes on, where the endpoint has one. */
  readonly wantsEventStream?: boolean
}

/** What an account proves itself with. */
export interface Credentials {
  /** Absent where the key came alone, in a URL. */
  email?: string
  api_key: string
}

export interface ActorBot {
  readonly owner_id: UserId | null
  readonly email: string
  readonly full_name: string
}

/** Who acts: an account whose credentials were checked. */
export interface Actor extends Caller {
  readonly user_id: UserId
  readonly organization_id: OrganizationId
  readonly role: Role
  readonly bot_type: BotType | null
  /** Of a bot: whose it is and what it is called. */
  readonly bot?: ActorBot
  readonly api_key_hash: Buffer
  /** The call came with an `Idempotency-Key`. */
  readonly idempotencyKey?: IdempotencyKey
}

/** What tells a call that is made again from another one with the same key. */
export interface IdempotencyKey {
  readonly key: string
  readonly fingerprint: Buffer
  /** Whether the answer was written with the change itself. */
  isSaved: boolean
}

/** Someone made this very call already: here is what they were told. */
export class IdempotentReplay extends Error {
  readonly response: object

  constructor(answer: object) {
    super('this call was answered before')
    this.response = answer
  }
}

/** The actor's role changed while the request was under way: whoever began it must look again. */
export class ActorChanged extends Error {}
