import { BotType } from '@oxbow/contract'
import type { App } from '../../platform/app.ts'
import type { Db } from '../../platform/database/database.ts'
import { type AccountKey, findServiceOf } from './queries.ts'
import { openConfig } from './service-seals.ts'

/** Finds the secret with which senders sign their deliveries to an incoming webhook, if one is set. */
export async function findWebhookSecret(
  app: Pick<App, 'secrets'>,
  db: Db,
  account: AccountKey,
): Promise<string | undefined> {
  const service = await findServiceOf(db, account, BotType.incomingWebhook)
  return service && openConfig(app, account, service).webhook_secret
}
