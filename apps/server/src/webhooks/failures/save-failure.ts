import type { ApiError } from '@oxbow/contract'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { DeliveryRequest } from '../send-messages.ts'
import { insertFailure } from './queries.ts'
import { redactSecrets } from './redact-secrets.ts'

/**
 * Saves a refused delivery, so that the bot's owner can inspect it, and replay it after fixing the
 * cause.
 */
export async function saveFailure(
  { db, log }: App,
  { organization_id, user_id }: Actor,
  { name, integration, delivery }: DeliveryRequest,
  error: ApiError,
): Promise<void> {
  const { query, headers, body } = redactSecrets(integration, delivery)
  const row = {
    organization_id,
    bot_id: user_id,
    integration: name,
    ...viewError(error),
    query,
    headers: JSON.stringify(headers),
    body,
    body_bytes: delivery.body.length,
    is_signed: !error.is('WEBHOOK_SIGNATURE_WRONG') && !error.is('WEBHOOK_SECRET_MISSING'),
  }
  // The sender gets the original error even if saving fails.
  await insertFailure(db, row).catch((err: unknown) => log.warn({ err }, 'could not save a refused delivery'))
}

/**
 * Returns code and message of an error, without NUL characters, which PostgreSQL texts cannot
 * contain.
 */
export const viewError = ({ body }: ApiError): { code: string; reason: string } => ({
  code: body.code,
  reason: body.msg.replaceAll('\0', '').toWellFormed(),
})
