import {
  createLookup,
  createRenderer,
  HtmlTooLongError,
  type LookupData,
  type RenderContext,
  type Rendered,
} from '@oxbow/markdown'
import { LazyWorker } from '../lazy-worker.ts'
import { compileLinkifiers, type LinkifierDefinition } from './linkifiers.ts'

/** What to render: plain data, so that it can be handed to a thread. */
export interface Source extends Pick<RenderContext, 'translateEmoticons' | 'defaultCodeLanguage'> {
  text: string
  /** The people, groups, streams and emoji that the text may refer to. */
  known?: LookupData
  /** What the organization lets become links. */
  linkifiers?: readonly LinkifierDefinition[]
  /** Where this organization is; links to it become relative. */
  origin?: string
  previewImages?: boolean
}

export interface Markdown {
  /** Undefined where the HTML would be too long to keep. */
  render(source: Source): Promise<Rendered | undefined>
}

/** What is shorter renders within some milliseconds, whatever it is; see the worst cases in docs/subsystems/markdown.md. */
const longestHere = 2_000

/**
 * Short plain text is rendered where it is. Whatever is long, or needs the mathematics or highlighting engines, goes
 * to a thread of its own, which alone loads them: neither holds up others nor weighs on a node that never needs them.
 */
export function makeMarkdown(): Markdown {
  const renderer = createRenderer()
  const thread = new LazyWorker<Source, Rendered | undefined>(
    new URL('./markdown-worker.ts', import.meta.url),
    600_000,
  )
  return {
    async render(source) {
      if (source.text.length > longestHere) return thread.ask(source)
      const rendered = renderUnlessTooLong(() => renderer.render(source.text, contextOf(source)))
      if (!rendered) return undefined
      const { math, languages } = rendered.missing
      return math || languages.length > 0 ? thread.ask(source) : rendered
    },
  }
}

export function contextOf({
  known,
  linkifiers,
  origin,
  previewImages,
  translateEmoticons,
  defaultCodeLanguage,
}: Source): RenderContext {
  return {
    ...(known && { lookup: createLookup(known) }),
    ...(linkifiers && { linkifiers: compileLinkifiers(linkifiers) }),
    ...(origin && { origin }),
    ...(previewImages !== undefined && { previews: { images: previewImages } }),
    ...(translateEmoticons !== undefined && { translateEmoticons }),
    ...(defaultCodeLanguage !== undefined && { defaultCodeLanguage }),
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
