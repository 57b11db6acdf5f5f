import { ApiError } from '@oxbow/contract'
import type { Integration } from '@oxbow/integrations'
import type { Delivery } from '../platform/http/delivery.ts'

/**
 * Throws if a secret is set and the delivery is not signed with it. The bot's secret takes
 * precedence over a secret in the URL, because anyone who knows the URL could change the latter.
 */
export function checkSignature(
  { signature }: Pick<Integration, 'signature'>,
  botSecret: string | undefined,
  { body, query, header }: Delivery,
): void {
  if (!signature) return
  const secret = botSecret ?? query.get('webhook_secret')
  if (secret === undefined) return
  if (secret === '') throw new ApiError('WEBHOOK_SECRET_MISSING')
  const signatureHeader = header(signature.header)
  if (
    signatureHeader === undefined ||
    !signature.isValid({ signature: signatureHeader, secret, body, header })
  )
    throw new ApiError('WEBHOOK_SIGNATURE_WRONG')
}
