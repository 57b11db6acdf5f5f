import { escapeAttribute } from './escape.ts'

export type Attributes = { readonly [name: string]: string | undefined }

/**
 * All attributes that this package may write, by element. KaTeX's elements are listed in `math/`.
 * Writing another attribute throws, because it is a bug of the renderer and never the fault of a
 * message.
 */
export const allowedAttributes: { readonly [element: string]: readonly string[] } = {
  a: ['class', 'data-id', 'data-stream-id', 'href', 'style', 'title'],
  div: ['class'],
  img: [
    'alt',
    'class',
    'data-animated',
    'data-original-content-type',
    'data-original-dimensions',
    'data-src-fullsize',
    'src',
    'title',
  ],
  ol: ['start'],
  span: ['aria-label', 'class', 'data-user-group-id', 'data-user-id', 'role', 'title'],
  td: ['align'],
  th: ['align'],
  time: ['datetime'],
}

/**
 * Writes an opening tag, with attributes in alphabetical order. An attribute whose value equals its
 * name is written without a value.
 */
export function openTag(element: string, attributes: Attributes = {}): string {
  let html = `<${element}`
  for (const name of Object.keys(attributes).sort()) {
    const value = attributes[name]
    if (value === undefined) continue
    if (!allowedAttributes[element]?.includes(name)) {
      throw new Error(`attribute ${name} of ${element} is not on the list`)
    }
    html += value === name ? ` ${name}` : ` ${name}="${escapeAttribute(value)}"`
  }
  return `${html}>`
}
