import type { BotType, OrganizationId, Role, UserId } from '@oxbow/contract'

/** The origin of a request, with or without an account. */
export interface Caller {
  /**
   * Subdomain of the organization, from the request's host; empty on the root host, null on a
   * foreign host.
   */
  readonly subdomain: string | null
  /** Scheme and host of the request, or of `external_url`, without a trailing slash. */
  readonly origin: string
  /** The caller's IP address. */
  readonly address: string
  /** Name of the calling program. */
  readonly client: string
  /**
   * The program is one of the older product, which uses the older names of fields and parameters.
   */
  readonly legacyNames: boolean
  /** The program may depend on the older names of the version fields. */
  readonly legacyVersions: boolean
  /** The program asked for server-sent events. Only set where the endpoint offers them. */
  readonly wantsEventStream?: boolean
}

/** The credentials of a request. */
export interface Credentials {
  /** Absent where only a key was given, in a URL or form. */
  email?: string
  api_key: string
}

export interface ActorBot {
  readonly owner_id: UserId | null
  readonly email: string
  readonly full_name: string
}

/** The account on whose behalf an action runs, with its credentials checked. */
export interface Actor extends Caller {
  readonly user_id: UserId
  readonly organization_id: OrganizationId
  readonly role: Role
  readonly bot_type: BotType | null
  /** Only for bots. */
  readonly bot?: ActorBot
  readonly api_key_hash: Buffer
  /** Present if the request came with an `Idempotency-Key`. */
  readonly idempotencyKey?: IdempotencyKey
}

/** Identifies a retried request. */
export interface IdempotencyKey {
  /** The value of the `Idempotency-Key` header. */
  readonly key: string
  /** Keyed hash of endpoint and parameters; a retry with another fingerprint is refused. */
  readonly fingerprint: Buffer
  /** Whether the response was saved in the transaction of the change. */
  isSaved: boolean
}

/** Thrown when the same request was already served; `response` is the saved one. */
export class IdempotentReplay extends Error {
  readonly response: object

  constructor(answer: object) {
    super('this request was already served')
    this.response = answer
  }
}

/**
 * Thrown when the actor's role changed during the request, which must be authorized again from the
 * start.
 */
export class ActorChanged extends Error {}
