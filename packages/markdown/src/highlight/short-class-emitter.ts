import { escapeCodeBlock } from '../escape.ts'
import { getShortClass } from './short-classes.ts'

type Scope = { name: string; cssClass: string | undefined; decided: boolean }
type Run = { cssClass: string; text: string }

const plainCode = /([\p{L}_$][\p{L}\p{N}_$]*)|([()[\]{},;:.]+)|([-+*/%=<>!&|^~?@]+)|(\d+)/gu

/**
 * Receives the scopes that highlight.js finds, and builds a flat list of ranges with one class
 * each. Text without a scope is split into names, operators and punctuation.
 */
export class ShortClassEmitter {
  readonly runs: Run[] = []
  private readonly scopes: Scope[] = []

  startScope(name: string): void {
    this.scopes.push({ name, cssClass: undefined, decided: false })
  }

  endScope(): void {
    this.scopes.pop()
  }

  openNode(name: string): void {
    this.startScope(name)
  }

  closeNode(): void {
    this.endScope()
  }

  addText(text: string): void {
    if (text === '') return
    const scope = this.scopes.at(-1)
    if (scope && !scope.decided) {
      // The first character decides the class of a string, and later parts of the string keep it.
      scope.cssClass = getShortClass(scope.name, text)
      scope.decided = true
    }
    if (scope?.cssClass) this.addRun(scope.cssClass, text)
    else this.addPlain(text)
  }

  /** Adds the result of an embedded language, which highlight.js passes as a finished emitter. */
  __addSublanguage(emitter: object): void {
    if (!(emitter instanceof ShortClassEmitter)) return
    for (const { cssClass, text } of emitter.runs) this.addRun(cssClass, text)
  }

  finalize(): void {
    this.scopes.length = 0
  }

  toHTML(): string {
    let html = ''
    for (const { cssClass, text } of this.runs) {
      const escaped = escapeCodeBlock(text)
      html += cssClass === '' ? escaped : `<span class="${cssClass}">${escaped}</span>`
    }
    return html
  }

  protected addPlain(text: string): void {
    let copied = 0
    for (const match of text.matchAll(plainCode)) {
      this.addRun('', text.slice(copied, match.index))
      this.addRun(match[1] ? 'n' : match[2] ? 'p' : match[3] ? 'o' : 'mi', match[0])
      copied = match.index + match[0].length
    }
    this.addRun('', text.slice(copied))
  }

  protected addRun(cssClass: string, text: string): void {
    const last = this.runs.at(-1)
    if (last?.cssClass === cssClass) last.text += text
    else if (text !== '') this.runs.push({ cssClass, text })
  }
}

/** The emitter for languages in which text without a scope is prose and gets no class. */
export class ProseEmitter extends ShortClassEmitter {
  protected override addPlain(text: string): void {
    this.addRun('', text)
  }
}
