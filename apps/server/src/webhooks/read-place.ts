import type { Integration } from '@oxbow/integrations'
import type { Delivery } from '../platform/delivery.ts'
import { argumentOf } from './read-payload.ts'

/** Where the URL says that messages go. */
export interface Place {
  stream: string | undefined
  topic: string | undefined
}

export function readPlace(
  delivery: Delivery,
  { escapesTwice = false }: Pick<Integration, 'escapesTwice'>,
): Place {
  const read = (name: string) => {
    const given = argumentOf(delivery, name)
    return given !== undefined && escapesTwice ? unescapeAgain(given) : given
  }
  return { stream: read('stream'), topic: read('topic') }
}

/** Nothing else is escaped twice; a percent sign that means itself stays. */
function unescapeAgain(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
