import { bold, code, codeBlock, line, link, list, quote, url } from '../../../writing.ts'
import { prettyJson, shortJson } from '../pretty.ts'

/** What one value becomes. A block stands on lines of its own. */
export interface Shown {
  readonly text: string
  readonly isBlock?: boolean
}

const filters = {
  bold: (value) => ({ text: bold(wordsOf(value)) }),
  code: (value) => ({ text: code(wordsOf(value)) }),
  quote: (value) => ({ text: quote(wordsOf(value)), isBlock: true }),
  json: (value) => ({ text: codeBlock(prettyJson(value), 'json'), isBlock: true }),
  count: (value) => ({ text: String(countOf(value)) }),
  list: (value) => ({ text: list(itemsOf(value).map((item) => line(wordsOf(item)))) || '-' }),
  link: (value, target) => ({ text: link(wordsOf(value), url.safeParse(target).data) }),
} satisfies Record<string, (value: unknown, target: unknown) => Shown>

export type FilterName = keyof typeof filters
export const filterNames = Object.keys(filters) as FilterName[]
export const isFilterName = (name: string): name is FilterName => Object.hasOwn(filters, name)

export function show(value: unknown, filter?: FilterName, target?: unknown): Shown {
  return filter ? filters[filter](value, target) : { text: line(wordsOf(value)) }
}

/** More than a message holds: what comes after is not looked at. */
const longest = 10_001

/** A text as it is; a list or an object as JSON on one line. */
export function wordsOf(value: unknown): string {
  return (typeof value === 'string' ? value : shortJson(value)).slice(0, longest)
}

/** Nothing to show: absent, null, blank, or a list without items. */
export function isNothing(value: unknown): boolean {
  if (value === undefined || value === null) return true
  return typeof value === 'string' ? value.trim() === '' : Array.isArray(value) && value.length === 0
}

/** Roughly what it costs to look at it: characters or items. */
export function sizeOf(value: unknown): number {
  return typeof value === 'string' ? Math.min(value.length, longest) : countOf(value)
}

function countOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return isNothing(value) ? 0 : 1
  if (Array.isArray(value)) return value.length
  const known = counts.get(value) ?? Object.keys(value).length
  counts.set(value, known)
  return known
}

/** To count the keys of a large object takes long, and a section may ask for it again and again. */
const counts = new WeakMap<object, number>()

/** Of a list those that are something. */
function itemsOf(value: unknown): unknown[] {
  const items = Array.isArray(value) ? value.slice(0, 100) : [value]
  return items.filter((item) => !isNothing(item))
}
