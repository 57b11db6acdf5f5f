import { ApiError } from '@oxbow/contract'
import type { Integration } from '@oxbow/integrations'
import type { Delivery } from '../platform/delivery.ts'

/**
 * Where there is a secret, the delivery must be signed with it. That of the bot goes before one in the URL: whoever
 * knows the URL alone could put any secret there.
 */
export function checkSignature(
  { signature }: Pick<Integration, 'signature'>,
  ofBot: string | undefined,
  { body, query, header }: Delivery,
): void {
  if (!signature) return
  const secret = ofBot ?? query.get('webhook_secret')
  if (secret === undefined) return
  if (secret === '') throw new ApiError('WEBHOOK_SECRET_MISSING')
  const given = header(signature.header)
  if (given === undefined || !signature.isRight({ given, secret, body, header }))
    throw new ApiError('WEBHOOK_SIGNATURE_WRONG')
}
