import type { ApiError } from '@oxbow/contract'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Handling } from '../handle-delivery.ts'
import { insertFailure } from './queries.ts'
import { takeOutSecrets } from './take-out-secrets.ts'

/** For the owner of the bot to look at, and to try again once it is mended. */
export async function keepFailure(
  { db, log }: App,
  { organization_id, user_id }: Actor,
  { name, integration, delivery }: Handling,
  error: ApiError,
): Promise<void> {
  const { query, headers, body } = takeOutSecrets(integration, delivery)
  const row = {
    organization_id,
    bot_id: user_id,
    integration: name,
    ...told(error),
    query,
    headers: JSON.stringify(headers),
    body,
    body_bytes: delivery.body.length,
    is_signed: !error.is('WEBHOOK_SIGNATURE_WRONG') && !error.is('WEBHOOK_SECRET_MISSING'),
  }
  // The sender is told of the refusal and of nothing else.
  await insertFailure(db, row).catch((err: unknown) => log.warn({ err }, 'a refused delivery was not kept'))
}

/** PostgreSQL has no NUL in texts. */
export const told = ({ body }: ApiError): { code: string; reason: string } => ({
  code: body.code,
  reason: body.msg.replaceAll('\0', '').toWellFormed(),
})
