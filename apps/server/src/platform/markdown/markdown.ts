import { findStartedModule } from '@oxbow/assets'
import {
  type CompiledLinkifier,
  compileLinkifier,
  createLookup,
  createRenderer,
  HtmlTooLongError,
  type LookupData,
  type PreviewSettings,
  type RenderContext,
  type Rendered,
  type UploadedPicture,
} from '@oxbow/markdown'
import { BoundedCache } from '../bounded-cache.ts'
import { escapeHtml } from '../html.ts'
import { LazyWorker } from '../threads/lazy-worker.ts'

/** A linkifier as plain data, so that it can be sent to a worker thread. */
export interface LinkifierDefinition {
  pattern: string
  urlFormat: string
}

/** The input of rendering, as plain data, so that it can be sent to a worker thread. */
export interface MarkdownSource
  extends Pick<RenderContext, 'translateEmoticons' | 'defaultCodeLanguage' | 'maxHtmlCharacters'> {
  text: string
  /** The people, groups, streams and emoji to which the text may refer. */
  lookupData?: LookupData
  /** Linkifiers of the organization. */
  linkifiers?: readonly LinkifierDefinition[]
  /** URL of this organization; links to it become relative. */
  origin?: string
  previewImages?: boolean
  /** Whether to collect the links whose pages may be previewed. */
  findsPages?: boolean
  /** Uploaded pictures to which the text may link. */
  pictures?: readonly UploadedPicture[]
}

export interface Markdown {
  /** Renders the text; undefined if the HTML would be too long to store. */
  render(source: MarkdownSource): Promise<Rendered | undefined>
  /**
   * Renders a text that everyone's state contains, such as a description. If its HTML has more than
   * 4,096 characters, returns the escaped text instead. Returns '' for an empty text.
   */
  renderShort(text: string): Promise<string>
}

const maxShortHtmlCharacters = 4_096

/** Returns the HTML of a short text, or the escaped text if the HTML is missing or too long. */
export function limitShortHtml(html: string | undefined, text: string): string {
  return html === undefined || html.length > maxShortHtmlCharacters ? `<p>${escapeHtml(text)}</p>` : html
}

/**
 * Shorter texts are rendered within a few milliseconds; docs/subsystems/markdown.md lists the worst cases.
 */
const maxCharactersOnMainThread = 2_000

/**
 * Renders short plain text on the main thread. Texts that are long, or need the math or highlighting engines,
 * are sent to a worker thread. Only that thread loads the engines, so that they neither block the event loop
 * nor use memory on nodes that never need them.
 */
export function makeMarkdown(): Markdown {
  const renderer = createRenderer()
  const thread = new LazyWorker<MarkdownSource, Rendered | undefined>(
    findStartedModule('markdown-worker'),
    600_000,
  )
  const render: Markdown['render'] = async (source) => {
    if (source.text.length > maxCharactersOnMainThread) return thread.ask(source)
    const rendered = renderUnlessTooLong(() => renderer.render(source.text, buildContext(source)))
    if (!rendered) return undefined
    const { math, languages } = rendered.missing
    return math || languages.length > 0 ? thread.ask(source) : rendered
  }
  return {
    render,
    async renderShort(text) {
      if (text === '') return ''
      const rendered = await render({ text, maxHtmlCharacters: maxShortHtmlCharacters })
      return limitShortHtml(rendered?.html, text)
    },
  }
}

export function buildContext({
  lookupData,
  linkifiers,
  origin,
  previewImages,
  findsPages = false,
  pictures = [],
  translateEmoticons,
  defaultCodeLanguage,
  maxHtmlCharacters,
}: MarkdownSource): RenderContext {
  return {
    ...(lookupData && { lookup: createLookup(lookupData) }),
    ...(linkifiers && { linkifiers: compileLinkifiers(linkifiers) }),
    ...(origin && { origin }),
    ...(previewImages !== undefined && { previews: buildPreviews(previewImages, findsPages, pictures) }),
    ...(translateEmoticons !== undefined && { translateEmoticons }),
    ...(defaultCodeLanguage !== undefined && { defaultCodeLanguage }),
    ...(maxHtmlCharacters !== undefined && { maxHtmlCharacters }),
  }
}

function buildPreviews(
  images: boolean,
  findsPages: boolean,
  pictures: readonly UploadedPicture[],
): PreviewSettings {
  return {
    images,
    // No page is known yet when a text is rendered; pages are added later.
    ...(findsPages && { pages: new Map() }),
    ...(pictures.length > 0 && { uploads: new Map(pictures.map((picture) => [picture.path, picture])) }),
  }
}

export function renderUnlessTooLong(render: () => Rendered): Rendered | undefined {
  try {
    return render()
  } catch (error) {
    if (error instanceof HtmlTooLongError) return undefined
    throw error
  }
}

type Definitions = readonly LinkifierDefinition[]

const byList = new WeakMap<Definitions, readonly CompiledLinkifier[]>()
const byText = new BoundedCache<string, readonly CompiledLinkifier[]>(200)

/** Returns the same compiled list for equal definitions, because the renderer caches its results by list. */
export function compileLinkifiers(definitions: Definitions): readonly CompiledLinkifier[] {
  const cached = byList.get(definitions)
  if (cached) return cached
  const text = JSON.stringify(definitions)
  const compiled = byText.getOrMake(text, () => definitions.flatMap(compileStored))
  byList.set(definitions, compiled)
  return compiled
}

/** Compiles a stored linkifier. Skips a pattern that a newer release accepted and this one cannot compile. */
function compileStored({ pattern, urlFormat }: LinkifierDefinition): CompiledLinkifier[] {
  const result = compileLinkifier(pattern, urlFormat)
  return 'linkifier' in result ? [result.linkifier] : []
}
