import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { Db } from '../platform/database/database.ts'
import type { QueueOptions } from './queue-options.ts'

export interface StateContext {
  readonly app: App
  readonly actor: Actor
  /** One snapshot of the database for all slices: whatever a slice reads, it reads from here. */
  readonly db: Db
  readonly options: QueueOptions
}

/** A feature's part of the state that `register` answers with. */
export interface StateSlice {
  /** Names of `fetch_event_types`; the slice is read when all of them are asked for. */
  readonly types: readonly string[]
  /** Fields of the answer. Long lists as `JsonText`, made piece by piece. */
  read(context: StateContext): Promise<object>
}
