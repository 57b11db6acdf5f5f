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

/** Stores the responses of requests with an `Idempotency-Key`. */
export interface IdempotentResponses {
  find(app: App, actor: Actor, idempotencyKey: IdempotencyKey): Promise<object | undefined>
  save(app: App, actor: Actor, idempotencyKey: IdempotencyKey, response: object): Promise<void>
}

/** Whether the node has lost PostgreSQL and must refuse every request. The event log knows it. */
export interface DatabaseContact {
  readonly isCutOff: boolean
}

export interface EndpointContext extends RequestLimits {
  app: App
  authenticate: Authenticate
  idempotentResponses: IdempotentResponses
  admitDelivery: AdmitDelivery
  databaseContact: DatabaseContact
  /** Whether responses and errors are checked against the contract. */
  checked: boolean
}
