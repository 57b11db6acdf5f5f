import { setImmediate } from 'node:timers/promises'

/** Metadata of a page, not cleaned yet. */
export interface HtmlFindings {
  /**
   * Contents of meta elements by lower-case property or name. Of several elements with the same
   * name, the first is used.
   */
  meta: ReadonlyMap<string, string>
  title: string
  /** Contents of the meta elements that address all robots or this one. */
  robots: readonly string[]
  /** URLs of oEmbed responses in JSON format. */
  oEmbed: readonly string[]
  jsonLd: readonly string[]
}

/** Number of characters parsed at once. Other tasks of the node can run between two pieces. */
const pieceLength = 32_768
/** Maximum number of characters parsed. Metadata is near the start of a page. */
const maxCharacters = 768 * 1_024
/**
 * Parsing stops at this depth, because the parser's time grows with the square of the depth.
 * Browsers have the same limit.
 */
const maxDepth = 512
const maxMetaElements = 200
const maxValueCharacters = 10_000
const maxScripts = 10
const maxScriptCharacters = 100_000
const jsonLdType = /^\s*application\/ld\+json\s*(?:;|$)/i
const oEmbedType = /^\s*(?:application|text)\/json\+oembed\s*$/i

/**
 * Parses the head of a page, and also the body if the head has no Open Graph title. Broken HTML is
 * parsed as far as possible.
 */
export async function readHtml(html: string, agent: string): Promise<HtmlFindings> {
  // The parser is loaded on demand, because a node that never fetches a page does not need it.
  const { Parser } = await import('htmlparser2')
  const collector = new Collector(agent, () => parser.pause())
  const parser = new Parser(collector, { decodeEntities: true, lowerCaseTags: true })
  const end = Math.min(html.length, maxCharacters)
  for (let at = 0; at < end && !collector.isComplete; at += pieceLength) {
    parser.write(html.slice(at, Math.min(at + pieceLength, end)))
    await setImmediate()
  }
  if (!collector.isComplete) parser.end()
  return collector
}

type Attributes = Record<string, string>

/** Collects metadata from the parser's elements and texts, up to fixed limits. */
class Collector implements HtmlFindings {
  readonly meta = new Map<string, string>()
  readonly robots: string[] = []
  readonly oEmbed: string[] = []
  readonly jsonLd: string[] = []
  title = ''
  isComplete = false
  readonly #agent: string
  readonly #pauseParser: () => void
  #depth = 0
  #text: string | undefined
  #maxText = 0
  /** Number of open svg elements. A title element inside one of them is not the page's title. */
  #drawings = 0

  constructor(agent: string, pauseParser: () => void) {
    this.#agent = agent.toLowerCase()
    this.#pauseParser = pauseParser
  }

  onopentag = (name: string, attributes: Attributes): void => {
    if (++this.#depth > maxDepth) this.#complete()
    if (name === 'meta') this.#addMeta(attributes)
    else if (name === 'link') this.#addLink(attributes)
    else if (name === 'svg') this.#drawings++
    else if (name === 'title' && this.#drawings === 0 && this.title === '') this.#collect(maxValueCharacters)
    else if (name === 'script' && jsonLdType.test(attributes.type ?? ''))
      this.#collect(maxScriptCharacters + 1)
    else if (name === 'body') this.#endHead()
  }

  ontext = (text: string): void => {
    if (this.#text !== undefined && this.#text.length < this.#maxText)
      this.#text += text.slice(0, this.#maxText)
  }

  onclosetag = (name: string): void => {
    this.#depth--
    if (name === 'svg') this.#drawings--
    else if (name === 'title') this.title ||= this.#takeText()
    else if (name === 'script') this.#addScript(this.#takeText())
    else if (name === 'head') this.#endHead()
  }

  #collect(maxText: number): void {
    this.#text = ''
    this.#maxText = maxText
  }

  #takeText(): string {
    const text = this.#text ?? ''
    this.#text = undefined
    return text
  }

  #endHead(): void {
    if (this.meta.has('og:title')) this.#complete()
  }

  #complete(): void {
    this.isComplete = true
    this.#pauseParser()
  }

  #addMeta({ property, name, content }: Attributes): void {
    const key = (property ?? name ?? '').trim().toLowerCase()
    if (content === undefined || key === '') return
    const value = content.slice(0, maxValueCharacters)
    if (key === 'robots' || key === this.#agent) {
      if (this.robots.length < maxMetaElements) this.robots.push(value)
    } else if (!this.meta.has(key) && this.meta.size < maxMetaElements && value.trim() !== '') {
      this.meta.set(key.slice(0, 100), value)
    }
  }

  #addLink({ rel = '', type = '', href }: Attributes): void {
    const isAlternate = rel.toLowerCase().split(/\s+/).includes('alternate')
    if (href && isAlternate && oEmbedType.test(type) && this.oEmbed.length === 0) this.oEmbed.push(href)
  }

  /** Ignores overlong scripts, because they were cut and are not valid JSON. */
  #addScript(text: string): void {
    if (text.trim() === '' || text.length > maxScriptCharacters) return
    if (this.jsonLd.length < maxScripts) this.jsonLd.push(text)
  }
}
