import { readHtml } from '../html/read-html.ts'

/** Every element KaTeX may write, with the attributes it may have there. */
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

const attribute = /([A-Za-z0-9:-]+) ?=(?:"([^"]*)"|'([^']*)')/g

/**
 * KaTeX's HTML, passed on only while all of it is on the list, with attributes in alphabetical order
 * where asked for. Undefined when it holds anything else.
 */
export function checkMathHtml(html: string, sorted: boolean): string | undefined {
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
    if (sorted) attributes.sort((a, b) => (a.name < b.name ? -1 : 1))
    const written = attributes
      .map(({ name, value }) => ` ${name}="${value.replaceAll('"', '&quot;')}"`)
      .join('')
    checked += `<${piece.name}${written}>${piece.isVoid ? `</${piece.name}>` : ''}`
  }
  return checked
}

function readAttributes(source: string): Attribute[] {
  return Array.from(source.matchAll(attribute), ([, name = '', double, single]) => ({
    name,
    value: double ?? single ?? '',
  }))
}
