import { ApiError } from '@oxbow/contract'
import type { Integration } from '@oxbow/integrations'
import type { Delivery } from '../../platform/http/delivery.ts'

/**
 * Returns an error if a secret is set and the delivery is not signed with it. The bot's secret takes
 * precedence over a secret in the URL, because anyone who knows the URL could change the latter, as
 * well as the integration. So a bot with a secret accepts no integration without signatures.
 */
export function findSignatureRefusal(
  { signature, title }: Pick<Integration, 'signature' | 'title'>,
  botSecret: string | undefined,
  { body, query, header }: Delivery,
): ApiError | undefined {
  if (!signature)
    return botSecret === undefined
      ? undefined
      : new ApiError('WEBHOOK_CANNOT_BE_SIGNED', { integration: title })
  const secret = botSecret ?? query.get('webhook_secret')
  if (secret === undefined) return undefined
  if (secret === '') return new ApiError('WEBHOOK_SECRET_MISSING')
  const signatureHeader = header(signature.header)
  const isSigned =
    signatureHeader !== undefined && signature.isValid({ signature: signatureHeader, secret, body, header })
  return isSigned ? undefined : new ApiError('WEBHOOK_SIGNATURE_WRONG')
}
