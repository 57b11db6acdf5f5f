import type { HLJSApi, LanguageFn } from 'highlight.js'
import type { Highlighter } from './highlighter.ts'
import { findLanguage } from './language-names.ts'
import { ProseEmitter, ShortClassEmitter } from './short-class-emitter.ts'

/** Code with longer HTML is not highlighted, because the whole message might be refused as too long. */
const maxHtmlCharacters = 50_000

/** Some grammars examine every suffix of a word, which takes a second for a word of thousands of letters. */
const tooLongWord = /\S{121}/

/** The modules of highlight.js are passed as arguments, so that this file does not load them. */
export function createHighlighter(core: HLJSApi, modules: ReadonlyMap<string, LanguageFn>): Highlighter {
  const forCode = instanceOf(core, ShortClassEmitter, modules)
  const forProse = instanceOf(core, ProseEmitter, modules)
  return {
    knows: (language) => modules.has(findLanguage(language) ?? ''),
    highlight(code, language) {
      const name = findLanguage(language)
      if (name === undefined || !modules.has(name) || tooLongWord.test(code)) return undefined
      const highlighter = proseLanguages.has(name) ? forProse : forCode
      const found = highlighter.highlight(code, { language: name, ignoreIllegals: true }).value
      const html = adaptClasses(found, name)
      return html.length > maxHtmlCharacters ? undefined : html
    },
  }
}

function instanceOf(
  core: HLJSApi,
  emitter: typeof ShortClassEmitter,
  modules: ReadonlyMap<string, LanguageFn>,
): HLJSApi {
  const instance = core.newInstance()
  instance.configure({ __emitter: emitter })
  for (const [name, language] of modules) instance.registerLanguage(name, language)
  return instance
}

const proseLanguages = new Set(['diff', 'http', 'latex', 'markdown', 'shell', 'xml'])
const declaringLanguages = new Set(['javascript', 'typescript', 'go'])
const declaration = /<span class="k">(const|let|var|function|class|func|type|interface|enum)<\/span>/g
const pythonReceiver = /<span class="n">(self|cls)<\/span>/g

/**
 * Adapts classes to the language: declarations get `kd` and names `nx` in some languages, and
 * Python's `self` and `cls` get `bp`. The code is already escaped, so the patterns match only tags
 * that the emitter wrote.
 */
function adaptClasses(html: string, language: string): string {
  if (language === 'python') return html.replace(pythonReceiver, '<span class="bp">$1</span>')
  if (!declaringLanguages.has(language)) return html
  return html
    .replace(declaration, '<span class="kd">$1</span>')
    .replaceAll('<span class="n">', '<span class="nx">')
}
