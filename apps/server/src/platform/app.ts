import type { EventSystem } from '../events/event-system.ts'
import type { Config } from './config/settings.ts'
import type { Db } from './database/database.ts'
import type { FileStore } from './files/file-store.ts'
import type { Log } from './log.ts'
import type { Markdown } from './markdown/markdown.ts'
import type { Metrics } from './metrics.ts'
import type { PasswordHasher } from './passwords.ts'
import type { Secrets } from './secrets.ts'

/** What an action may use. Everything here can be made by a second node in the same way. */
export interface App {
  readonly config: Config
  readonly db: Db
  readonly log: Log
  readonly secrets: Secrets
  readonly passwords: PasswordHasher
  readonly metrics: Metrics
  readonly markdown: Markdown
  /** What people upload, and pictures made of it. */
  readonly files: FileStore
  readonly events: EventSystem
}
