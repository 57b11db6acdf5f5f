import type { api, ParamsOf, ResponseOf } from '@oxbow/contract'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { loadAccessibleBot } from '../access.ts'
import { listFailuresOfBot } from './queries.ts'
import { viewFailure } from './views.ts'

type ListFailures = typeof api.webhooks.listFailures

export async function listFailures(
  { db }: App,
  actor: Actor,
  { bot_id, include_bodies }: ParamsOf<ListFailures>,
): Promise<ResponseOf<ListFailures>> {
  const bot = await loadAccessibleBot(db, actor, bot_id)
  const failures = await listFailuresOfBot(db, bot, include_bodies)
  return { webhook_failures: failures.map((failure) => viewFailure(failure, bot, actor.user_id)) }
}
