import {
  allowedAttributes,
  createRenderer,
  diffHtml,
  HtmlTooLongError,
  type Lookup,
  listLanguages,
  loadHighlighter,
  loadMathEngine,
  type RenderContext,
} from '../../src/index.ts'
import { allowedMathAttributes } from '../../src/math/math-html.ts'
import { cases, contextOf } from '../cases/index.ts'
import { generateInput, mutate } from '../support/generate.ts'
import { createRandom } from '../support/random.ts'
import { xssVectors } from '../support/xss-vectors.ts'
import { findTreeDifference } from './check-tree.ts'

type Fault = { input: string; fault: string }

const schemesOfLinks = new Set(['http:', 'https:', 'ftp:', 'mailto:', 'file:', 'bitcoin:'])
const elementsOfText = new Set(
  'a blockquote br code del div em h1 h2 h3 h4 h5 h6 hr img li ol p pre span strong table tbody td th thead time tr ul'.split(
    ' ',
  ),
)
// Attributes that the renderer writes literally, without `openTag`.
const fixedAttributes: { [element: string]: string[] } = { div: ['aria-hidden'] }

let scriptsRun = 0
Object.assign(window, { xss: () => scriptsRun++, alert: () => scriptsRun++ })
window.addEventListener('error', (event) => {
  // Our scripts are in files, so an error in the page itself means that an inline script ran.
  if (event.filename === location.href) scriptsRun++
})

const renderer = createRenderer({
  highlight: await loadHighlighter(listLanguages()),
  math: await loadMathEngine(),
})
const stage = document.body.appendChild(document.createElement('main'))

function renderCases(): string[] {
  return cases.map(({ input, settings }) => renderer.render(input, contextOf(settings)).html)
}

function checkInput(input: string, context: RenderContext, live: boolean): string | undefined {
  try {
    return checkHtml(renderer.render(input, context).html, live)
  } catch (error) {
    return error instanceof HtmlTooLongError ? undefined : `threw ${error}`
  }
}

/** Checks HTML in the page if `live`, otherwise in a document that loads no pictures. */
function checkHtml(html: string, live: boolean): string | undefined {
  const root = live ? stage : document.implementation.createHTMLDocument().body
  root.innerHTML = html
  return findForbidden(root) ?? findTreeDifference(html, root)
}

function findForbidden(root: Element): string | undefined {
  const hasMath = root.querySelector('.katex') !== null
  for (const element of Array.from(root.querySelectorAll('*'))) {
    const name = element.localName
    const inMath = hasMath && element.closest('.katex') !== null
    const allowed = inMath
      ? allowedMathAttributes[name]
      : elementsOfText.has(name)
        ? (allowedAttributes[name] ?? [])
        : undefined
    if (!allowed) return `element ${name}`
    for (const attribute of Array.from(element.attributes)) {
      if (!allowed.includes(attribute.name) && !fixedAttributes[name]?.includes(attribute.name)) {
        return `attribute ${attribute.name} of ${name}`
      }
      if (attribute.name === 'style' && !isHarmlessStyle(element, attribute.value))
        return `style ${attribute.value}`
    }
    if (element instanceof HTMLAnchorElement) {
      const url = URL.parse(element.getAttribute('href') ?? '', 'https://chat.example/')
      // A URL that cannot be parsed leads nowhere.
      if (url && !schemesOfLinks.has(url.protocol)) return `link to ${element.getAttribute('href')}`
    }
  }
  return undefined
}

function isHarmlessStyle(element: Element, style: string): boolean {
  if (element.className === 'message_embed_image')
    return /^background-image: url\(https?:\/\/[^()'"\\\s]*\)$/.test(style)
  return !/url|expression|@|import/i.test(style)
}

function checkAll(inputs: Iterable<string>, live: boolean): Fault[] {
  const context = contextOf(live ? { previews: false } : {})
  const faults: Fault[] = []
  for (const input of inputs) {
    const fault = checkInput(input, context, live)
    if (fault) faults.push({ input, fault })
  }
  return faults
}

function checkVectors(live: boolean): { faults: Fault[]; count: number } {
  return { faults: checkAll(xssVectors, live), count: xssVectors.length }
}

/** Uses the attacks as names of people, groups and streams, and as the texts of a linked page. */
function checkHostileData(): Fault[] {
  const url = 'https://tea.example/'
  return xssVectors.flatMap((vector) => {
    const lookup: Lookup = {
      findPerson: () => ({ id: 1, fullName: vector }),
      findGroup: () => ({ id: 2, name: vector }),
      findStream: () => ({ id: 3, name: vector }),
      findCustomEmoji: () => ({ name: 'x', sourceUrl: vector }),
    }
    const pages = new Map([
      [url, { title: vector, description: vector, image: `https://x.example/${vector}` }],
    ])
    const context = { lookup, previews: { images: true, pages }, origin: 'https://chat.example' }
    const fault = checkInput(`@**a** @_**a** @*a* #**a** #**a>b** :x: ${url}`, context, false)
    return fault ? [{ input: vector, fault }] : []
  })
}

function checkGenerated(seed: number, count: number, live: boolean): Fault[] {
  const random = createRandom(seed)
  return checkAll(
    Array.from({ length: count }, () => generateInput(random)),
    live,
  )
}

/** Checks diffs of two versions of a text, or of two unrelated texts. */
function checkDiffs(seed: number, count: number): Fault[] {
  const random = createRandom(seed)
  const context = contextOf()
  const faults: Fault[] = []
  for (let done = 0; done < count; done++) {
    const text = generateInput(random)
    const [before = '', after = ''] = [
      text,
      random.chance(0.7) ? mutate(text, random) : generateInput(random),
    ].map((version) => renderer.render(version, context).html)
    const fault = checkHtml(diffHtml(before, after), false)
    if (fault) faults.push({ input: JSON.stringify({ before, after }), fault })
  }
  return faults
}

Object.assign(window, {
  renderCases,
  checkDiffs,
  checkVectors,
  checkHostileData,
  checkGenerated,
  checkHtml,
  countScripts: () => scriptsRun,
  ready: true,
})
