import type { NamedEndpoint } from '@oxbow/contract'
import type { Actor, Caller, Credentials, IdempotencyKey } from '../actor.ts'
import type { App } from '../app.ts'
import type { AdmitDelivery } from './delivery.ts'
import type { RequestLimits } from './request-limits.ts'

/** Returns the actor to whom the credentials belong. Throws if they are refused. */
export type Authenticate = (
  app: App,
  caller: Caller,
  credentials: Credentials,
  /** `isFresh` bypasses the cache. */
  options?: { isFresh: boolean },
) => Actor | Promise<Actor>

/** Serves requests with an `Idempotency-Key`. */
export interface Idempotency {
  /** Returns the key of a request, with a fingerprint of its endpoint and parameters. */
  readKey(
    app: App,
    header: string | string[] | undefined,
    bound: NamedEndpoint,
    params: object,
  ): IdempotencyKey | undefined
  /** Adds the digest of a streamed file to the fingerprint. */
  addDigest(app: App, idempotencyKey: IdempotencyKey, sha256: string): void
  /** Runs the action, or returns the saved response of an earlier request with this key. */
  run(
    app: App,
    actor: Actor,
    idempotencyKey: IdempotencyKey,
    call: { endpoint: string; action: () => Promise<object> },
  ): Promise<object>
}

/** Whether the node has lost PostgreSQL and must refuse every request. The event log knows it. */
export interface DatabaseContact {
  readonly isCutOff: boolean
  /** Whether PostgreSQL is a standby, so that the event log cannot be read. */
  readonly isStandby: boolean
}

export interface EndpointContext extends RequestLimits {
  app: App
  authenticate: Authenticate
  idempotency: Idempotency
  admitDelivery: AdmitDelivery
  databaseContact: DatabaseContact
  /** Whether responses and errors are checked against the contract. */
  checked: boolean
}
