import type { Integration } from '@oxbow/integrations'
import type { Delivery } from '../../../platform/http/delivery.ts'

const isSecret = (name: string): boolean => /key|secret|token|passw|signature|authorization/i.test(name)

/** Maximum size of a stored body. Larger ones are not stored. */
const maxStoredBytes = 256 * 1_024
/**
 * Maximum number of secrets in a stored body. Without a limit, a sender could make the search for
 * them arbitrarily slow.
 */
const maxSecrets = 50

export interface RedactedDelivery {
  query: string
  headers: Record<string, string>
  /** Null if the body is not stored. */
  body: Buffer | null
}

/** Returns a delivery without the secrets with which a reader could impersonate its sender. */
export function redactSecrets(integration: Integration, delivery: Delivery): RedactedDelivery {
  const { query, form } = delivery
  const isNotSecret = ([name]: [string, string]) => !isSecret(name)
  const hasSecrets = [...form.keys()].some(isSecret)
  const secrets = new Set(
    [...query, ...form].filter((entry) => !isNotSecret(entry)).map(([, value]) => value),
  )
  const isKept = delivery.body.length <= maxStoredBytes && secrets.size <= maxSecrets
  return {
    query: new URLSearchParams([...query].filter(isNotSecret)).toString(),
    headers: redactHeaders(integration, delivery, hasSecrets),
    body: !isKept
      ? null
      : hasSecrets
        ? Buffer.from(new URLSearchParams([...form].filter(isNotSecret)).toString())
        : redactBody(delivery.body, [...secrets]),
  }
}

function redactHeaders(
  { eventHeader, deliveryId, signature }: Integration,
  { header, contentType }: Delivery,
  isReencodedAsForm: boolean,
): Record<string, string> {
  const idHeaders = typeof deliveryId === 'object' ? [deliveryId.header, deliveryId.within] : []
  const names = ['user-agent', eventHeader?.name, ...idHeaders].filter((name) => name !== undefined)
  const found = names
    .filter((name) => name.toLowerCase() !== signature?.header.toLowerCase())
    .flatMap((name) => {
      const value = header(name)
      return value === undefined ? [] : [[name.toLowerCase(), value]]
    })
  const type = isReencodedAsForm ? 'application/x-www-form-urlencoded' : contentType
  return { ...Object.fromEntries(found), ...(type && { 'content-type': type }) }
}

/** Removes secrets from the body. Some services include the URL that they call, with its key. */
function redactBody(body: Buffer, secrets: readonly string[]): Buffer {
  const present = secrets.filter((secret) => secret.length >= 8 && body.includes(secret))
  if (present.length === 0) return body
  const text = present.reduce((redacted, secret) => redacted.replaceAll(secret, '…'), body.toString('utf8'))
  return Buffer.from(text)
}
