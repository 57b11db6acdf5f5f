import type { Integration } from '@oxbow/integrations'
import type { Delivery } from '../platform/http/delivery.ts'
import { getArgument } from './read-payload.ts'

/** The destination of messages, as named in the URL. */
export interface WebhookDestination {
  stream: string | undefined
  topic: string | undefined
}

export function parseDestination(
  delivery: Delivery,
  { escapesTwice = false }: Pick<Integration, 'escapesTwice'>,
): WebhookDestination {
  const read = (name: string) => {
    const value = getArgument(delivery, name)
    return value !== undefined && escapesTwice ? unescapeTwice(value) : value
  }
  return { stream: read('stream'), topic: read('topic') }
}

/** Decodes a text that some services percent-encode twice. A literal percent sign is kept. */
function unescapeTwice(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
