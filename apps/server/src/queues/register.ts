import {
  ApiError,
  type api,
  chatFeatureLevel,
  chatVersion,
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
import type { InPieces } from '../platform/pieces.ts'
import { serverVersion } from '../platform/version.ts'
import { findBotDefaults } from './bot-defaults.ts'
import { fetchedTypes, readLifespan, readQueueOptions } from './queue-options.ts'

type Register = typeof api.events.register

/** Features hand in their slices; this knows none of them. */
export function makeRegister(slices: readonly StateSlice[]) {
  return async function register(
    app: App,
    actor: Actor,
    given: ParamsOf<Register>,
  ): Promise<InPieces<ResponseOf<Register>>> {
    const { queue_id, last_event_id, state } = await openQueue(app, actor, given, slices)
    return {
      queue_id,
      last_event_id,
      chat_version: chatVersion,
      chat_feature_level: chatFeatureLevel,
      server_version: serverVersion,
      ...(actor.legacyVersions && legacyVersionFields(state)),
      ...state,
    }
  }
}

/** The version fields, and what the state says of the plan, under their older names. */
function legacyVersionFields(state: { chat_plan_is_not_limited?: boolean }) {
  const { chat_plan_is_not_limited } = state
  return {
    zulip_version: chatVersion,
    zulip_feature_level: chatFeatureLevel,
    ...(chat_plan_is_not_limited !== undefined && { zulip_plan_is_not_limited: chat_plan_is_not_limited }),
  }
}

/** A program that opens queues without end has lost count of them. */
const mostQueues = 1_000

export interface OpenedQueue {
  queue_id: string
  last_event_id: number
  state: object
}

/**
 * The cut. The position comes first, then one snapshot with the state: every event up to the position was committed
 * before, so the state has it; of a later one the snapshot tells whether the state has it. Nothing falls between.
 */
export async function openQueue(
  app: App,
  actor: Actor,
  given: ParamsOf<Register>,
  slices: readonly StateSlice[],
): Promise<OpenedQueue> {
  const options = readQueueOptions(given, actor.legacyNames, await findBotDefaults(app.db, actor))
  const types = fetchedTypes(given, actor.legacyNames)
  const wanted = slices.filter((slice) => types === null || slice.types.every((type) => types.has(type)))
  const { organization_id, user_id } = actor
  await refuseTooMany(app.db, actor)
  const { position } = await app.events.log.follow(organization_id)

  const { snapshot, state } = await app.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (db) => {
      const { rows } = await sql<{
        snapshot: string
      }>`select pg_current_snapshot()::text as snapshot`.execute(db)
      const fields: object = {}
      for (const slice of wanted) Object.assign(fields, await slice.read({ app, actor, db, options }))
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
      lifespan_seconds: readLifespan(app.config, given.queue_lifespan_secs),
    })
  })
  return { queue_id, last_event_id: position, state }
}

async function refuseTooMany(db: Db, actor: Actor): Promise<void> {
  if ((await countQueues(db, actor)) >= mostQueues) throw new ApiError('TOO_MANY_QUEUES')
}
