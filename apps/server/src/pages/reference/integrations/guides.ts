import { type Category, listServices, loadService, readGuide } from '@oxbow/integrations'
import type { App } from '../../../platform/app.ts'

/** An integration and its setup guide. */
export interface Guide {
  name: string
  title: string
  category: Category
  /** The first sentence of the guide. */
  summary: string
  text: string
  /** Whether the service authenticates with HTTP Basic, so that the URL contains no key. */
  usesBasicAuth: boolean
  /** Names of events by which deliveries can be filtered. */
  eventNames: readonly string[]
}

/** Returns the URL of the webhook with placeholders for the key and the stream. */
export const urlFor = ({ name, usesBasicAuth }: Guide, origin: string): string =>
  `${origin}/api/v1/external/${name}?${usesBasicAuth ? '' : 'api_key=API_KEY&'}stream=STREAM`

/** Cached, because files do not change while a node runs. */
const guides = new Map<string, Promise<Guide | undefined>>()

export function findGuide(name: string): Promise<Guide | undefined> {
  const cached = guides.get(name)
  if (cached) return cached
  const reading = loadGuide(name)
  // Only guides that exist are cached: the name comes from the request, and unknown names would
  // fill the map.
  reading.then(
    (found) => found && guides.set(name, reading),
    // The caller gets the error from the returned promise.
    () => {},
  )
  return reading
}

async function loadGuide(name: string): Promise<Guide | undefined> {
  const service = await loadService(name)
  if (!service) return undefined
  const text = await readGuide(name)
  const { title, category, authentication, events = [] } = service
  const usesBasicAuth = authentication === 'basic'
  return { name, title, category, summary: firstSentence(text), text, usesBasicAuth, eventNames: events }
}

/**
 * Lists all integrations, sorted by title. An integration that cannot be loaded is logged and left
 * out.
 */
export async function listGuides({ log }: Pick<App, 'log'>): Promise<Guide[]> {
  const found = await Promise.all(
    (await listServices()).map((name) =>
      findGuide(name).catch((err: unknown) => {
        log.error({ integration: name, err }, 'an integration cannot be loaded')
      }),
    ),
  )
  return found
    .filter((guide) => guide instanceof Object)
    .sort((a, b) => a.title.localeCompare(b.title, 'en', { sensitivity: 'base' }))
}

function firstSentence(text: string): string {
  const [paragraph = ''] = text.split(/\n\s*\n/)
  const plain = paragraph.replace(/[`*]/g, '').replace(/\s+/g, ' ').trim()
  return /^.*?[.:](?= |$)/.exec(plain)?.[0].replace(/:$/, '.') ?? plain
}
