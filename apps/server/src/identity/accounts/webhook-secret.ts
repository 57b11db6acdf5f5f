import { BotType } from '@oxbow/contract'
import { coherentCache } from '../../events/coherent-cache.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Db } from '../../platform/database/database.ts'
import { openConfig } from './service-seals.ts'

type BotKey = Pick<Actor, 'organization_id' | 'user_id'>

const secretsOf = coherentCache<{ secret: string | undefined }>('webhook secrets')

/**
 * Finds the secret with which services sign deliveries to this bot, if one is set. It is cached,
 * because every delivery needs it. Before a request is refused because of it, call
 * `findNewestWebhookSecret`.
 */
export async function findCachedWebhookSecret(app: App, bot: BotKey): Promise<string | undefined> {
  const cached = secretsOf(app).find(cacheKey(bot))
  return cached ? cached.secret : findNewestWebhookSecret(app, bot)
}

/** Finds the secret of this bot in PostgreSQL, and caches it. */
export async function findNewestWebhookSecret(
  app: App,
  { organization_id, user_id }: BotKey,
): Promise<string | undefined> {
  const found = await secretsOf(app).refresh(cacheKey({ organization_id, user_id }), async () => {
    const secret = await findWebhookSecret(app, app.db, { organization_id, user_id })
    return { value: { secret }, organization_id, user_id }
  })
  return found?.secret
}

const cacheKey = ({ organization_id, user_id }: BotKey): string => `${organization_id} ${user_id}`

/**
 * Finds the secret with which senders sign their deliveries to an incoming webhook, if one is set.
 * An empty secret is none: entries of a configuration can be replaced, but not removed.
 */
export async function findWebhookSecret(
  app: Pick<App, 'secrets'>,
  db: Db,
  bot: BotKey,
): Promise<string | undefined> {
  const service = await db
    .selectFrom('bot_service as service')
    .innerJoin('user_account as account', (join) =>
      join
        .onRef('account.organization_id', '=', 'service.organization_id')
        .onRef('account.id', '=', 'service.user_id'),
    )
    .select('service.config_sealed')
    .where('service.organization_id', '=', bot.organization_id)
    .where('service.user_id', '=', bot.user_id)
    .where('account.bot_type', '=', BotType.incomingWebhook)
    .where('account.is_active', '=', true)
    .executeTakeFirst()
  return (service && openConfig(app, bot, service).webhook_secret) || undefined
}
