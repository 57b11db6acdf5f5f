import type { Config } from './config/settings.ts'
import type { Db } from './database/database.ts'
import type { FileStore } from './files/file-store.ts'
import type { Log } from './log.ts'
import type { Markdown } from './markdown/markdown.ts'
import type { Metrics } from './metrics.ts'
import type { NodeState } from './node-state.ts'
import type { Outward } from './outward/outward.ts'
import type { PasswordHasher } from './passwords.ts'
import type { Secrets } from './secrets.ts'

/**
 * The services an action may use. None holds state that another node would lack. The event system
 * adds itself as `events` (`events/event-system.ts`), so that the platform does not depend on it.
 */
export interface App {
  readonly config: Config
  readonly db: Db
  readonly log: Log
  readonly secrets: Secrets
  readonly passwords: PasswordHasher
  readonly metrics: Metrics
  readonly markdown: Markdown
  /** Uploaded files, and pictures made from them. */
  readonly files: FileStore
  /** Makes requests to other hosts, with `fetchOutward`. */
  readonly outward: Outward
  /** State that features keep in the memory of this node. */
  readonly state: NodeState
}
