import { type Category, listServices, loadService, readGuide } from '@oxbow/integrations'
import type { App } from '../../platform/app.ts'

/** An integration, as the pages show it. */
export interface Guide {
  name: string
  title: string
  category: Category
  /** The first sentence of the guide. */
  summary: string
  text: string
  /** Whether the service uses HTTP Basic, so that the URL contains no key. */
  isBasic: boolean
  /** The names by which deliveries can be filtered. */
  eventNames: readonly string[]
}

/** Returns the URL of the webhook with placeholders for the key and the stream. */
export const urlFor = ({ name, isBasic }: Guide, origin: string): string =>
  `${origin}/api/v1/external/${name}?${isBasic ? '' : 'api_key=API_KEY&'}stream=STREAM`

/** Cached, because files do not change while a node runs. */
const guides = new Map<string, Promise<Guide | undefined>>()

export function findGuide(name: string): Promise<Guide | undefined> {
  const cached = guides.get(name)
  if (cached) return cached
  const reading = loadGuide(name)
  // The name comes from the request, so it must not be used as a path.
  reading.then(
    (found) => found && guides.set(name, reading),
    // The caller gets the same error.
    () => {},
  )
  return reading
}

async function loadGuide(name: string): Promise<Guide | undefined> {
  const service = await loadService(name)
  if (!service) return undefined
  const text = await readGuide(name)
  const { title, category, authentication, events = [] } = service
  const isBasic = authentication === 'basic'
  return { name, title, category, summary: firstSentence(text), text, isBasic, eventNames: events }
}

/** Lists integrations by title. One that cannot be loaded is logged and left out. */
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
