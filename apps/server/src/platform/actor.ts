import type { BotType, Generation, OrganizationId, Role, SessionId, UserId } from '@oxbow/contract'

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
  /** Whether the program was written for the older product and uses its names of fields and parameters. */
  readonly legacyNames: boolean
  /** Whether the program may depend on the older names of the version fields. */
  readonly legacyVersions: boolean
  /** The generation of the protocol in which the program reads responses and events. */
  readonly generation: Generation
  /** Whether the program asked for server-sent events. Only set if the endpoint offers them. */
  readonly wantsEventStream?: boolean
  /**
   * The account that the page of a browser was opened for. A request with the session of another account is
   * refused. NaN if the request names no valid id.
   */
  readonly expectedUserId?: number
  /** The browser that signs in. Only set if the endpoint starts a session. */
  readonly browser?: Browser
}

/** A browser in which a person signs in. */
interface Browser {
  /** The `User-Agent` header of the browser. */
  readonly userAgent: string
  /** Token of the session that the browser has at present. */
  readonly sessionToken: string | undefined
}

/** The credentials of a request. */
export type Credentials = KeyCredentials | SessionCredentials

export interface KeyCredentials {
  /** Absent if the request has only a key, in a URL or form. */
  email?: string
  api_key: string
}

/** The token in the cookie of a browser. */
export interface SessionCredentials {
  session_token: string
}

/**
 * The credential by which an actor was authenticated. `hash` is the keyed hash by which the database finds
 * the API key or the token of the session.
 */
export type Credential =
  | { readonly kind: 'key'; readonly hash: Buffer }
  | { readonly kind: 'session'; readonly hash: Buffer; readonly id: SessionId }

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
  /** Only present for bots. */
  readonly bot?: ActorBot
  readonly credential: Credential
  /** Present if the request came with an `Idempotency-Key`. */
  readonly idempotencyKey?: IdempotencyKey
}

/** Identifies a request and its retries. */
export interface IdempotencyKey {
  /** The value of the `Idempotency-Key` header. */
  readonly key: string
  /**
   * Keyed hash of endpoint and parameters; a retry with another fingerprint is refused. For an endpoint that
   * streams its file, the fingerprint is complete only once the file was received.
   */
  fingerprint: Buffer
  /** Whether the response was saved in the transaction of the change. */
  isSaved: boolean
}

/** Thrown when the same request was already served; `response` is the saved response. */
export class IdempotentReplay extends Error {
  readonly response: object

  constructor(response: object) {
    super('this request was already served')
    this.response = response
  }
}

/** Thrown when the actor's role changed during the request, so that the request must be authorized again. */
export class ActorChanged extends Error {}
