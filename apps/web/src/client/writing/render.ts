import type { UserId } from '@oxbow/contract'
import type { CompiledLinkifier, Engines, Lookup, RenderContext, Rendered, Renderer } from '@oxbow/markdown'
import { computed, signal } from '@preact/signals'
import { peopleById } from '../people/people.ts'
import { findPersonNamed } from '../people/people-search.ts'
import {
  customEmoji,
  defaultCodeLanguage,
  linkifiers,
  neverSubscribed,
  previewsImages,
  subscriptions,
  translatesEmoticons,
  unsubscribed,
  userGroups,
} from '../store.ts'
import { uploadedPictures } from './uploaded-pictures.ts'

type Markdown = typeof import('@oxbow/markdown')

const markdown = signal<Markdown | undefined>(undefined)
/** The Markdown package with its tables; undefined until it is loaded. */
export const loadedMarkdown = computed(() => markdown.value)

const engines = signal<Engines>({})
let isLoading = false

/** Loads the renderer, which is a separate chunk. Composers call it when they get the focus. */
export async function loadRenderer(): Promise<void> {
  if (isLoading) return
  isLoading = true
  try {
    markdown.value = await import('@oxbow/markdown')
  } catch {
    // If loading fails, messages are shown as plain text until the server has rendered them.
    isLoading = false
  }
}

const renderer = computed<Renderer | undefined>(() => markdown.value?.createRenderer(engines.value))

/** The streams, groups and emoji that the user can refer to. */
const otherNames = computed<Lookup | undefined>(() =>
  markdown.value?.createLookup({
    groups: userGroups.value ?? [],
    streams: [
      ...(subscriptions.value ?? []),
      ...(unsubscribed.value ?? []),
      ...(neverSubscribed.value ?? []),
    ].map(({ stream_id, name }) => ({ id: stream_id, name })),
    customEmoji: Object.values(customEmoji.value ?? {})
      .filter(({ deactivated }) => !deactivated)
      .map(({ name, source_url }) => ({ name, sourceUrl: source_url })),
  }),
)

/**
 * Names of people, streams, groups and emoji. A person is searched for only when a text mentions one,
 * because there may be 100,000 people.
 */
const lookup = computed<Lookup | undefined>(() => {
  const others = otherNames.value
  const people = peopleById.value
  const named = new Map<string, ReturnType<typeof findPersonNamed>>()
  const findNamed = (name: string) => {
    if (!named.has(name)) named.set(name, findPersonNamed(name))
    return named.get(name)
  }
  return (
    others && {
      ...others,
      findPerson(name, id) {
        const person = id === undefined ? findNamed(name) : people.get(id as UserId)
        const isFound = person?.is_active && person.full_name.toLowerCase() === name.toLowerCase()
        return isFound ? { id: person.user_id, fullName: person.full_name } : undefined
      },
    }
  )
})

const compiledLinkifiers = computed<CompiledLinkifier[]>(() =>
  (linkifiers.value ?? []).flatMap(([pattern, urlFormat]) => {
    const result = markdown.value?.compileLinkifier(pattern, urlFormat)
    return result && 'linkifier' in result ? [result.linkifier] : []
  }),
)

const context = computed<RenderContext>(() => ({
  ...(lookup.value && { lookup: lookup.value }),
  linkifiers: compiledLinkifiers.value,
  origin: location.origin,
  previews: { images: previewsImages.value ?? false, uploads: uploadedPictures.value },
  translateEmoticons: translatesEmoticons.value ?? false,
  defaultCodeLanguage: defaultCodeLanguage.value ?? null,
}))

/**
 * Renders a text as the server will. Reads signals, so that it runs again when the renderer, or an
 * engine that the text needs, is loaded. Undefined until the renderer is loaded, and for a text
 * whose HTML is too long.
 */
export function renderText(text: string): Rendered | undefined {
  try {
    const rendered = renderer.value?.render(text, context.value)
    if (rendered) loadEngines(rendered)
    return rendered
  } catch {
    return undefined
  }
}

/** Renders a text for immediate display. Returns plain text until the renderer is loaded. */
export function renderEcho(text: string): string {
  return renderText(text)?.html ?? `<p>${escapeText(text).replaceAll('\n', '<br>\n')}</p>`
}

let loadingEngines: Promise<void> = Promise.resolve()

/** Loads the formula engine and the languages that a text needs, one after the other. */
function loadEngines({ missing: { math, languages } }: Rendered): void {
  const loaded = markdown.peek()
  if (!loaded || (!math && languages.length === 0)) return
  const missing = { math: math && !engines.peek().math, languages: languages.filter(isNewLanguage) }
  if (!missing.math && missing.languages.length === 0) return
  for (const language of missing.languages) requestedLanguages.add(language)
  loadingEngines = loadingEngines.then(async () => {
    const next: Engines = { ...engines.peek() }
    if (missing.math && !next.math) next.math = await loaded.loadMathEngine()
    if (missing.languages.length > 0) next.highlight = await loaded.loadHighlighter([...requestedLanguages])
    engines.value = next
  }, ignoreFailure)
}

const requestedLanguages = new Set<string>()
const isNewLanguage = (language: string): boolean => !requestedLanguages.has(language)
// If loading fails, the text is shown without colours or formulas.
const ignoreFailure = (): void => {}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes a text for HTML. */
const escapeText = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => entities[character] ?? character)
