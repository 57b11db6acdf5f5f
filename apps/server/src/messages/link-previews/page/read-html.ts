import { setImmediate } from 'node:timers/promises'

/** Statements of a page about itself, not cleaned yet. */
export interface HtmlFindings {
  /** Contents of meta elements by lower-case property or name, the first of each. */
  meta: ReadonlyMap<string, string>
  title: string
  /** Contents of meta elements for all robots, and for this one. */
  robots: readonly string[]
  /** URLs of oEmbed responses in JSON. */
  oEmbed: readonly string[]
  jsonLd: readonly string[]
}

/** Characters parsed at once; other work of the node has its turn in between. */
const pieceLength = 32_768
/** Everything about a page is near its start, except in pages that no preview is for. */
const maxCharacters = 768 * 1_024
/**
 * Browsers nest no deeper. The parser's time grows with the square of the depth, so reading ends there.
 */
const maxDepth = 512
const maxMetaElements = 200
const maxValueCharacters = 10_000
const maxScripts = 10
const maxScriptCharacters = 100_000
const jsonLdType = /^\s*application\/ld\+json\s*(?:;|$)/i
const oEmbedType = /^\s*(?:application|text)\/json\+oembed\s*$/i

/**
 * Reads the head of a page, and its body as far as the head has no title for previews. Broken HTML
 * is read as far as it makes sense.
 */
export async function readHtml(html: string, agent: string): Promise<HtmlFindings> {
  // Loaded on demand: a node that never fetches a page does not need it.
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

/** Receives the parser's elements and texts, and keeps a bounded part of them. */
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
  /** Drawings have titles of their own. */
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

  /** A script that is too long would be cut, and cannot be parsed then. */
  #addScript(text: string): void {
    if (text.trim() === '' || text.length > maxScriptCharacters) return
    if (this.jsonLd.length < maxScripts) this.jsonLd.push(text)
  }
}
