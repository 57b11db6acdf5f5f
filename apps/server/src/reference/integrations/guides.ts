import { type Category, listServices, loadService, readGuide } from '@oxbow/integrations'
import type { App } from '../../platform/app.ts'

/** An integration as its pages show it. */
export interface Guide {
  name: string
  title: string
  category: Category
  /** What it tells, in one sentence. */
  summary: string
  text: string
  /** The key is no part of the URL. */
  isBasic: boolean
}

/** Files do not change under a running node. */
const guides = new Map<string, Promise<Guide | undefined>>()

export function findGuide(name: string): Promise<Guide | undefined> {
  const known = guides.get(name)
  if (known) return known
  const reading = read(name)
  // Anyone can ask for any name.
  reading.then(
    (found) => found && guides.set(name, reading),
    // The caller gets the same error.
    () => {},
  )
  return reading
}

async function read(name: string): Promise<Guide | undefined> {
  const service = await loadService(name)
  if (!service) return undefined
  const text = await readGuide(name)
  const { title, category, authentication } = service
  return { name, title, category, summary: firstSentence(text), text, isBasic: authentication === 'basic' }
}

/** By title. An integration that cannot be loaded is left out and logged; it does not hide the others. */
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
