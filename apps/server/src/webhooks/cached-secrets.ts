import { coherentCache } from '../events/coherent-cache.ts'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import { findWebhookSecret } from '../users/bots/webhook-secret.ts'

const secretsOf = coherentCache<{ secret: string | undefined }>('webhook secrets')

/**
 * Returns the secret with which services sign deliveries to this bot, if one is set. It is cached,
 * because every delivery needs it.
 */
export async function getSecret(
  app: App,
  { organization_id, user_id }: Pick<Actor, 'organization_id' | 'user_id'>,
): Promise<string | undefined> {
  const found = await secretsOf(app).get(`${organization_id} ${user_id}`, async () => {
    const secret = await findWebhookSecret(app, app.db, { organization_id, user_id })
    return { value: { secret }, organization_id, user_id }
  })
  return found?.secret
}
