import { oxbowVersion } from '@oxbow/assets'
import {
  ApiError,
  type api,
  chatFeatureLevel,
  chatVersion,
  isTypeOf,
  omitLaterFields,
  type ParamsOf,
  type ResponseOf,
} from '@oxbow/contract'
import { sql } from 'kysely'
import { countQueues, insertQueue } from '../events/queue-rows.ts'
import type { StateSlice } from '../events/state-slice.ts'
import { writeAs } from '../identity/write-as.ts'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { Db } from '../platform/database/database.ts'
import { inSnapshot } from '../platform/database/transaction.ts'
import type { InPieces } from '../platform/pieces.ts'
import { findBotDefaults } from './bot-defaults.ts'
import { readFetchedTypes, readLifespan, readQueueOptions } from './queue-options.ts'

type Register = typeof api.events.register

/**
 * Builds the action from the state slices of the features, so that this directory does not depend
 * on features.
 */
export function makeRegister(slices: readonly StateSlice[]) {
  return async function register(
    app: App,
    actor: Actor,
    params: ParamsOf<Register>,
  ): Promise<InPieces<ResponseOf<Register>>> {
    const { queue_id, last_event_id, state } = await openQueue(app, actor, params, slices)
    return {
      queue_id,
      last_event_id,
      chat_version: chatVersion,
      chat_feature_level: chatFeatureLevel,
      server_version: oxbowVersion,
      ...(actor.legacyVersions && legacyVersionFields(state)),
      ...state,
    }
  }
}

/** Returns the version fields and the plan field under their legacy names. */
function legacyVersionFields(state: { chat_plan_is_not_limited?: boolean }) {
  const { chat_plan_is_not_limited } = state
  return {
    zulip_version: chatVersion,
    zulip_feature_level: chatFeatureLevel,
    ...(chat_plan_is_not_limited !== undefined && { zulip_plan_is_not_limited: chat_plan_is_not_limited }),
  }
}

/** Stops clients that open queues in a loop. */
const maxQueuesPerAccount = 1_000

export interface OpenedQueue {
  queue_id: string
  last_event_id: number
  state: object
}

/**
 * Opens a queue and reads the state at an exact cut. It first takes the node's position in the log,
 * then reads the state in one snapshot. Every event up to the position was committed before the
 * snapshot, so the state includes it. For each later event, the snapshot shows whether the state
 * includes it. Thus no event is missing, and no event is delivered that the state already includes.
 */
export async function openQueue(
  app: App,
  actor: Actor,
  params: ParamsOf<Register>,
  slices: readonly StateSlice[],
): Promise<OpenedQueue> {
  const defaults = await findBotDefaults(app.db, actor)
  const options = readQueueOptions(params, actor, defaults, app.events.narrows)
  const types = readFetchedTypes(params, actor.legacyNames)
  const { generation } = actor
  const isFetched = (type: string) => types?.has(type) ?? isTypeOf(generation, type)
  const fetchedSlices = slices.filter((slice) => slice.types.every(isFetched))
  const { organization_id, user_id } = actor
  await refuseTooMany(app.db, actor)
  const { position } = await app.events.log.follow(organization_id)

  const { snapshot, state } = await inSnapshot(app.reads, async (db) => {
    const { rows } = await sql<{ snapshot: string }>`select pg_current_snapshot()::text as snapshot`.execute(
      db,
    )
    const fields: object = {}
    for (const slice of fetchedSlices)
      Object.assign(fields, await slice.read({ app, actor, db, options, params }))
    return { snapshot: rows[0]?.snapshot ?? '', state: fields }
  })

  const queue_id = await writeAs(app, actor, async (tx) => {
    await refuseTooMany(tx, actor)
    return insertQueue(tx, {
      organization_id,
      user_id,
      cut_seq: position,
      cut_snapshot: snapshot,
      options,
      lifespan_seconds: readLifespan(app.config, params.queue_lifespan_secs),
    })
  })
  return { queue_id, last_event_id: position, state: omitLaterFields(state, generation) }
}

async function refuseTooMany(db: Db, actor: Actor): Promise<void> {
  if ((await countQueues(db, actor)) >= maxQueuesPerAccount) throw new ApiError('TOO_MANY_QUEUES')
}
