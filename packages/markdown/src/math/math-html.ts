import { readHtml } from '../html/read-html.ts'

/** Elements that KaTeX may produce, with their allowed attributes. */
export const allowedMathAttributes: { readonly [element: string]: readonly string[] } = {
  annotation: ['encoding'],
  line: ['stroke-width', 'x1', 'x2', 'y1', 'y2'],
  math: ['display', 'xmlns'],
  menclose: ['notation'],
  mfrac: ['linethickness'],
  mi: ['mathvariant'],
  mlabeledtr: [],
  mmultiscripts: [],
  mn: ['mathvariant'],
  mo: ['fence', 'form', 'lspace', 'mathvariant', 'maxsize', 'minsize', 'rspace', 'separator', 'stretchy'],
  mover: ['accent'],
  mpadded: ['depth', 'height', 'lspace', 'mathbackground', 'style', 'voffset', 'width'],
  mphantom: [],
  mroot: [],
  mrow: [],
  ms: [],
  mspace: ['height', 'linebreak', 'mathbackground', 'width'],
  msqrt: [],
  mstyle: ['displaystyle', 'mathcolor', 'mathsize', 'scriptlevel'],
  msub: [],
  msubsup: [],
  msup: [],
  mtable: ['columnalign', 'columnlines', 'columnspacing', 'rowlines', 'rowspacing', 'side', 'width'],
  mtd: ['class', 'width'],
  mtext: ['mathvariant'],
  mtr: [],
  munder: ['accentunder'],
  munderover: [],
  none: [],
  path: ['d'],
  semantics: [],
  span: ['aria-hidden', 'class', 'style'],
  svg: ['height', 'preserveAspectRatio', 'style', 'viewBox', 'width', 'xmlns'],
}

type Attribute = { name: string; value: string }

const attribute = /(?<![A-Za-z0-9:-])([A-Za-z0-9:-]+) ?=(?:"([^"]*)"|'([^']*)')/g

/**
 * Returns KaTeX's HTML if all its elements and attributes are in `allowedMathAttributes`, otherwise
 * undefined. With `shouldSortAttributes`, attributes are written in alphabetical order.
 */
export function checkMathHtml(html: string, shouldSortAttributes: boolean): string | undefined {
  let checked = ''
  for (const piece of readHtml(html)) {
    if (piece.kind === 'text') {
      if (piece.source === '<') return undefined
      checked += piece.source
      continue
    }
    const allowed = allowedMathAttributes[piece.name]
    if (!allowed) return undefined
    if (piece.kind === 'close') {
      checked += piece.source
      continue
    }
    const attributes = readAttributes(piece.attributes)
    if (attributes.some(({ name }) => !allowed.includes(name))) return undefined
    if (shouldSortAttributes) attributes.sort((a, b) => (a.name < b.name ? -1 : 1))
    const attributeText = attributes
      .map(({ name, value }) => ` ${name}="${value.replaceAll('"', '&quot;')}"`)
      .join('')
    checked += `<${piece.name}${attributeText}>${piece.isVoid ? `</${piece.name}>` : ''}`
  }
  return checked
}

function readAttributes(source: string): Attribute[] {
  return Array.from(source.matchAll(attribute), ([, name = '', double, single]) => ({
    name,
    value: double ?? single ?? '',
  }))
}
