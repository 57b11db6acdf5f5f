import { bold, code, codeBlock, line, link, list, quote, url } from '../../../writing.ts'
import { prettyJson, shortJson } from '../pretty.ts'

/** The text of a value. A block must begin and end on its own lines. */
export interface ShownValue {
  readonly text: string
  readonly isBlock?: boolean
}

const filters = {
  bold: (value) => ({ text: bold(toText(value)) }),
  code: (value) => ({ text: code(toText(value)) }),
  quote: (value) => ({ text: quote(toText(value)), isBlock: true }),
  json: (value) => ({ text: codeBlock(prettyJson(value), 'json'), isBlock: true }),
  count: (value) => ({ text: String(countItems(value)) }),
  list: (value) => ({ text: list(listItems(value).map((item) => line(toText(item)))) || '-' }),
  link: (value, target) => ({ text: link(toText(value), url.safeParse(target).data) }),
} satisfies Record<string, (value: unknown, target: unknown) => ShownValue>

export type FilterName = keyof typeof filters
export const filterNames = Object.keys(filters) as FilterName[]
export const isFilterName = (name: string): name is FilterName => Object.hasOwn(filters, name)

export function show(value: unknown, filter?: FilterName, target?: unknown): ShownValue {
  return filter ? filters[filter](value, target) : { text: line(toText(value)) }
}

/** More than the maximum size of a message. The rest of the value is not read. */
const maxCharacters = 10_001

/** Returns a text unchanged, and a list or an object as JSON on one line. */
function toText(value: unknown): string {
  return (typeof value === 'string' ? value : shortJson(value)).slice(0, maxCharacters)
}

/** Returns whether a value is absent, null, blank or a list without items. */
export function isNothing(value: unknown): boolean {
  if (value === undefined || value === null) return true
  return typeof value === 'string' ? value.trim() === '' : Array.isArray(value) && value.length === 0
}

/** Estimates the cost of reading a value, as a number of characters or items. */
export function getSize(value: unknown): number {
  return typeof value === 'string' ? Math.min(value.length, maxCharacters) : countItems(value)
}

function countItems(value: unknown): number {
  if (typeof value !== 'object' || value === null) return isNothing(value) ? 0 : 1
  if (Array.isArray(value)) return value.length
  const length = counts.get(value) ?? Object.keys(value).length
  counts.set(value, length)
  return length
}

/**
 * Cached, because counting the keys of a large object is slow and several sections may use the same
 * object.
 */
const counts = new WeakMap<object, number>()

/** Returns the items of a list that are not empty. */
function listItems(value: unknown): unknown[] {
  const items = Array.isArray(value) ? value.slice(0, 100) : [value]
  return items.filter((item) => !isNothing(item))
}
