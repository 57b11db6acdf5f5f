import type { Integration } from '@oxbow/integrations'
import type { Delivery } from '../../platform/delivery.ts'

const isSecret = (name: string): boolean => /key|secret|token|passw|signature|authorization/i.test(name)

/** Larger bodies are not kept. */
const maxBytes = 256 * 1_024
/** A sender that brings more of them chooses how long it takes to look for each in the body, which is then not kept. */
const maxSecrets = 50

export interface Kept {
  query: string
  headers: Record<string, string>
  /** Null where it is not kept. */
  body: Buffer | null
}

/** What tells what a delivery was, and nothing that whoever reads it could pretend to be its sender with. */
export function takeOutSecrets(integration: Integration, delivery: Delivery): Kept {
  const { query, form } = delivery
  const isFree = ([name]: [string, string]) => !isSecret(name)
  const hasSecrets = [...form.keys()].some(isSecret)
  const secrets = new Set([...query, ...form].filter((each) => !isFree(each)).map(([, value]) => value))
  const isKept = delivery.body.length <= maxBytes && secrets.size <= maxSecrets
  return {
    query: new URLSearchParams([...query].filter(isFree)).toString(),
    headers: headersOf(integration, delivery, hasSecrets),
    body: !isKept
      ? null
      : hasSecrets
        ? Buffer.from(new URLSearchParams([...form].filter(isFree)).toString())
        : without(delivery.body, [...secrets]),
  }
}

function headersOf(
  { eventHeader, deliveryId, signature }: Integration,
  { header, contentType }: Delivery,
  isWrittenAnew: boolean,
): Record<string, string> {
  const idHeaders = typeof deliveryId === 'object' ? [deliveryId.header, deliveryId.within] : []
  const names = ['user-agent', eventHeader?.name, ...idHeaders].filter((name) => name !== undefined)
  const found = names
    .filter((name) => name.toLowerCase() !== signature?.header.toLowerCase())
    .flatMap((name) => {
      const value = header(name)
      return value === undefined ? [] : [[name.toLowerCase(), value]]
    })
  const type = isWrittenAnew ? 'application/x-www-form-urlencoded' : contentType
  return { ...Object.fromEntries(found), ...(type && { 'content-type': type }) }
}

/** Some services put the URL that they call into what they send. */
function without(body: Buffer, secrets: readonly string[]): Buffer {
  const present = secrets.filter((secret) => secret.length >= 8 && body.includes(secret))
  if (present.length === 0) return body
  const text = present.reduce((left, secret) => left.replaceAll(secret, '…'), body.toString('utf8'))
  return Buffer.from(text)
}
