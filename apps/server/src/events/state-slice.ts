import type { api, ParamsOf } from '@oxbow/contract'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { Db } from '../platform/database/database.ts'
import type { QueueOptions } from './queue-options.ts'

export interface StateContext {
  readonly app: App
  readonly actor: Actor
  /**
   * The transaction whose snapshot is the cut. A slice must read from nothing else, or state and
   * events disagree.
   */
  readonly db: Db
  readonly options: QueueOptions
  /** The request, for what is read once and not kept with the queue. */
  readonly params: ParamsOf<typeof api.events.register>
}

/** A feature's part of the state that `register` returns. */
export interface StateSlice {
  /**
   * Names in `fetch_event_types`. The slice is read only if the client asked for all of them; one
   * without names decides by the request.
   */
  readonly types: readonly string[]
  /**
   * Returns fields of the response. Long lists must be `JsonText`, built in chunks to keep the
   * event loop free.
   */
  read(context: StateContext): Promise<object>
}
