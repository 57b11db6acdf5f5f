import type { App } from '../platform/app.ts'
import type { DatabaseContact } from '../platform/http/operations.ts'
import type { RequestLimits } from '../platform/http/request-limits.ts'

export interface EndpointContext extends RequestLimits {
  app: App
  databaseContact: DatabaseContact
  /** Whether responses and errors are checked against the contract. */
  checked: boolean
}
