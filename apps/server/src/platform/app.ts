import type { Config } from './config/settings.ts'
import type { Db } from './database/database.ts'
import type { FileStore } from './files/file-store.ts'
import type { Markdown } from './markdown/markdown.ts'
import type { Log } from './observe/log.ts'
import type { Metrics } from './observe/metrics.ts'
import type { Tracing } from './observe/tracing/tracing.ts'
import type { Outbound } from './outbound/outbound.ts'
import type { Peers } from './peers.ts'
import type { PasswordHasher } from './secrets/passwords.ts'
import type { Secrets } from './secrets/secrets.ts'

/**
 * The services an action may use. None of them has state that the other nodes would need. The state
 * of the node adds itself as `state` (`per-node.ts`), and the event system as `events`
 * (`events/event-system.ts`), so that this file does not depend on them.
 */
export interface App {
  readonly config: Config
  readonly db: Db
  /** Like `db`, for requests that read much. They leave some connections to all others. */
  readonly reads: Db
  readonly log: Log
  readonly secrets: Secrets
  readonly passwords: PasswordHasher
  readonly metrics: Metrics
  readonly markdown: Markdown
  /** Uploaded files, and pictures that the server made from them. */
  readonly files: FileStore
  /** Access to other hosts; `fetchOutbound` makes requests with it. */
  readonly outbound: Outbound
  /** The other processes of this machine that serve the same port; undefined if there are none. */
  readonly peers?: Peers | undefined
  /** Traces the work of this node; undefined if the operator has not set `otlp_endpoint`. */
  readonly tracing?: Tracing | undefined
}
