import { type FilterName, filterNames, isFilterName } from './filters.ts'
import { type Path, parsePath } from './path.ts'

export type Piece = Words | Value | Section

interface Words {
  readonly kind: 'words'
  readonly words: string
}

/** A placeholder: `{path}`, `{path?fallback}` or `{path|filter}`. */
export interface Value {
  readonly kind: 'value'
  readonly path: Path
  readonly fallback?: string
  readonly filter?: { readonly name: FilterName; readonly target?: Path }
  /** The index in the template. */
  readonly at: number
}

/**
 * `{#path}…{/path}` is rendered for each item of a list, or once for another value.
 * `{^path}…{/path}` is rendered if the value is missing, empty or false.
 */
export interface Section {
  readonly kind: 'section'
  readonly path: Path
  readonly isInverted: boolean
  readonly inside: Piece[]
  readonly at: number
}

/** Thrown for an error in the template, with its position. */
export class TemplateError extends Error {
  readonly at: number

  constructor(at: number, message: string) {
    super(message)
    this.at = at
  }
}

const maxDepth = 8
const marks = /\{\{|\}\}|\{([^{}]*)\}|\{/g

export function parseTemplate(template: string): Piece[] {
  const pieces: Piece[] = []
  const open: Section[] = []
  let end = 0

  const add = (piece: Piece) => (open.at(-1)?.inside ?? pieces).push(piece)
  const addWords = (words: string) => words !== '' && add({ kind: 'words', words })

  for (const { 0: mark, 1: tag, index: at } of template.matchAll(marks)) {
    addWords(template.slice(end, at))
    end = at + mark.length
    if (mark === '{{' || mark === '}}') addWords(mark.slice(1))
    else if (tag === undefined)
      throw new TemplateError(at, 'this { has no }; write {{ for the character itself')
    else if (/^[#^/]/.test(tag)) {
      if (tag.startsWith('/')) close(open, tag.slice(1).trim(), at)
      else {
        const section = parseSection(tag, at)
        add(section)
        if (open.push(section) > maxDepth)
          throw new TemplateError(at, `sections are nested more than ${maxDepth} deep`)
      }
      if (isAloneOnItsLine(template, at, end)) end++
    } else add(parseValue(tag, at))
  }
  const unclosed = open.at(-1)
  if (unclosed)
    throw new TemplateError(
      unclosed.at,
      `{#${unclosed.path.shown}} is never closed by {/${unclosed.path.shown}}`,
    )
  addWords(template.slice(end))
  return pieces
}

function close(open: Section[], name: string, at: number): void {
  const section = open.pop()
  if (!section) throw new TemplateError(at, `{/${name}} closes nothing that is open`)
  if (section.path.shown !== name)
    throw new TemplateError(at, `{/${name}} comes before {/${section.path.shown}}`)
}

function parseSection(tag: string, at: number): Section {
  return {
    kind: 'section',
    path: pathAt(tag.slice(1), at),
    isInverted: tag.startsWith('^'),
    inside: [],
    at,
  }
}

function parseValue(tag: string, at: number): Value {
  const [, path = '', fallback, filter] = /^([^?|]*)(?:\?([^|]*))?(?:\|(.*))?$/s.exec(tag) ?? []
  return {
    kind: 'value',
    path: pathAt(path, at),
    ...(fallback !== undefined && { fallback }),
    ...(filter !== undefined && { filter: parseFilter(filter, at) }),
    at,
  }
}

function parseFilter(filter: string, at: number): NonNullable<Value['filter']> {
  const [, before = '', target] = /^([^:]*)(?::(.*))?$/s.exec(filter) ?? []
  const name = before.trim()
  if (!isFilterName(name))
    throw new TemplateError(at, `there is no filter "${name}"; there are ${filterNames.join(', ')}`)
  if ((name === 'link') !== (target !== undefined))
    throw new TemplateError(
      at,
      name === 'link' ? 'link needs the path of a URL, as in {title|link:url}' : `${name} takes no path`,
    )
  return { name, ...(target !== undefined && { target: pathAt(target, at) }) }
}

function pathAt(text: string, at: number): Path {
  const path = parsePath(text.trim())
  if (!path)
    throw new TemplateError(
      at,
      text.trim() === '' ? 'this names no value' : `"${text.trim().slice(0, 60)}" is not a path to a value`,
    )
  return path
}

/** Returns whether a section tag is alone on its line. The line is then left out of the message. */
function isAloneOnItsLine(template: string, at: number, end: number): boolean {
  return (at === 0 || template[at - 1] === '\n') && template[end] === '\n'
}
