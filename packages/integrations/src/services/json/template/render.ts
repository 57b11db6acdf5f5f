import { getSize, isNothing, type ShownValue, show } from './filters.ts'
import { type Piece, parseTemplate, type Section, TemplateError, type Value } from './parse.ts'
import { findValue } from './path.ts'

/** Rendering stops at this size. `fitContent` then truncates the message like any other. */
const maxCharacters = 10_000
/**
 * Maximum cost of rendering, which limits the time to some milliseconds. Each piece costs 1, and
 * each hundred characters or items of a value cost 1 more.
 */
const maxWork = 10_000

/** Renders the template with the payload. Throws only TemplateError. */
export function renderTemplate(template: string, payload: unknown): string {
  const renderer = new Renderer(payload)
  renderer.addAll(parseTemplate(template), payload)
  return renderer.written.trim()
}

class Renderer {
  written = ''
  #isAfterBlock = false
  #work = 0
  readonly #payload: unknown

  constructor(payload: unknown) {
    this.#payload = payload
  }

  addAll(pieces: readonly Piece[], scope: unknown): void {
    for (const piece of pieces) {
      if (this.written.length > maxCharacters) return
      if (piece.kind === 'words') this.#write({ text: piece.words })
      else if (piece.kind === 'value') this.#addValue(piece, scope)
      else this.#addSection(piece, scope)
    }
  }

  #addValue({ path, fallback, filter, at }: Value, scope: unknown): void {
    let value = findValue(path, scope, this.#payload)
    if (isNothing(value) && filter?.name !== 'count') {
      if (fallback === undefined)
        throw new TemplateError(
          at,
          `the payload has nothing at ${path.shown}; {${path.shown}?} leaves it out then`,
        )
      if (fallback.trim() === '') {
        this.#write({ text: fallback })
        return
      }
      value = fallback
    }
    this.#spend(at, getSize(value))
    this.#write(show(value, filter?.name, filter?.target && findValue(filter.target, scope, this.#payload)))
  }

  #addSection({ path, isInverted, inside, at }: Section, scope: unknown): void {
    const value = findValue(path, scope, this.#payload)
    const hasSomething = value !== false && !isNothing(value)
    this.#spend(at, 0)
    if (isInverted) {
      if (!hasSomething) this.addAll(inside, scope)
    } else if (Array.isArray(value))
      for (const item of value) {
        if (this.written.length > maxCharacters) return
        this.#spend(at, 0)
        this.addAll(inside, item)
      }
    else if (hasSomething) this.addAll(inside, typeof value === 'object' ? value : scope)
  }

  #write({ text, isBlock = false }: ShownValue): void {
    if (isBlock) this.#beginLine()
    const isNextToBlock = this.#isAfterBlock && !isBlock
    const added = isNextToBlock ? text.replace(/^ +/, '') : text
    if (added === '') return
    this.written += isNextToBlock && !added.startsWith('\n') ? `\n${added}` : added
    this.#isAfterBlock = isBlock
  }

  #beginLine(): void {
    while (this.written.endsWith(' ')) this.written = this.written.slice(0, -1)
    if (this.written !== '' && !this.written.endsWith('\n')) this.written += '\n'
  }

  #spend(at: number, size: number): void {
    this.#work += 1 + size / 100
    if (this.#work > maxWork)
      throw new TemplateError(at, 'this goes over the payload too often to end in good time')
  }
}
