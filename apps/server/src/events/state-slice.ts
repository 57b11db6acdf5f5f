import type { api, ParamsOf } from '@oxbow/contract'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { Db } from '../platform/database/database.ts'
import type { QueueOptions } from './queue-options.ts'

export interface StateContext {
  readonly app: App
  readonly actor: Actor
  /**
   * The transaction whose snapshot is the cut. A slice must read only from it, because otherwise state and
   * events could contradict each other.
   */
  readonly db: Db
  readonly options: QueueOptions
  /** The parameters of the request, including those that are not stored with the queue. */
  readonly params: ParamsOf<typeof api.events.register>
}

/** A feature's part of the state that `register` returns. */
export interface StateSlice {
  /**
   * Names in `fetch_event_types`. The slice is read only if the client asked for all of them; a slice without
   * names decides by the request's parameters.
   */
  readonly types: readonly string[]
  /**
   * Returns fields of the response. Long lists must be `JsonText`, built in chunks so that they do not block
   * the event loop.
   */
  read(context: StateContext): Promise<object>
}
