import type { ApiError, ErrorName } from '@oxbow/contract'
import type { Actor } from '../../../platform/actor.ts'
import type { App } from '../../../platform/app.ts'
import type { DeliveryRequest } from '../send-messages.ts'
import { insertFailure } from './queries.ts'
import { redactSecrets } from './redact-secrets.ts'

const signatureErrors = [
  'WEBHOOK_SIGNATURE_WRONG',
  'WEBHOOK_SECRET_MISSING',
  'WEBHOOK_CANNOT_BE_SIGNED',
] as const satisfies ErrorName[]

/**
 * Saves a refused delivery, so that the bot's owner can inspect it, and replay it after fixing the
 * cause.
 */
export async function saveFailure(
  { db, log }: App,
  { organization_id, user_id, bot }: Actor,
  { name, integration, delivery }: DeliveryRequest,
  error: ApiError,
): Promise<void> {
  const { query, headers, body } = redactSecrets(integration, delivery)
  const row = {
    organization_id,
    bot_id: user_id,
    // The owner whose key the delivery had. The bot may have got another owner and key meanwhile.
    owner_id: bot?.owner_id ?? null,
    integration: name,
    ...viewError(error),
    query,
    headers: JSON.stringify(headers),
    body,
    body_bytes: delivery.body.length,
    is_signed: !signatureErrors.some((name) => error.is(name)),
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
