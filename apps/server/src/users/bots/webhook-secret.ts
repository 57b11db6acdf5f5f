import { BotType } from '@oxbow/contract'
import type { App } from '../../platform/app.ts'
import type { Db } from '../../platform/database/database.ts'
import { type BotPlace, findServiceOf } from './queries.ts'
import { openConfig } from './service-seals.ts'

/** What senders of an incoming webhook sign with, where its bot was given such a secret. */
export async function findWebhookSecret(
  app: Pick<App, 'secrets'>,
  db: Db,
  place: BotPlace,
): Promise<string | undefined> {
  const service = await findServiceOf(db, place, BotType.incomingWebhook)
  return service && openConfig(app, place, service).webhook_secret
}
