import type { Fixture } from '@oxbow/integrations/fixtures'

/**
 * Functions that enlarge a real delivery of a service to about `bytes`, each in a way that is costly
 * to process.
 */
export const inflations: Record<string, (fixture: Fixture, bytes: number) => Fixture> = {
  'very long lists': (fixture, bytes) => inflate(fixture, (value) => repeatItems(value, bytes)),
  'texts of spaces': (fixture, bytes) => inflate(fixture, (value) => lengthenTexts(value, ' \t', bytes)),
  'texts of brackets': (fixture, bytes) => inflate(fixture, (value) => lengthenTexts(value, '[<`*_(', bytes)),
  'many keys': (fixture, bytes) =>
    inflate(fixture, (value) => ({ ...(value as object), ...keys(Math.floor(bytes / 11)) })),
  'many empty lists': (fixture, bytes) =>
    inflate(fixture, (value) => ({ ...(value as object), more: Array(Math.floor(bytes / 3)).fill([]) })),
}

/** Changes the whole body, or the largest field of a form, which often contains JSON. */
function inflate(fixture: Fixture, change: (value: unknown) => unknown): Fixture {
  if (!fixture.form) return { ...fixture, body: change(fixture.body) }
  const [name = '', text = ''] =
    Object.entries(fixture.form).sort(([, a], [, b]) => b.length - a.length)[0] ?? []
  return { ...fixture, form: { ...fixture.form, [name]: asJson(text, change) } }
}

function asJson(text: string, change: (value: unknown) => unknown): string {
  try {
    return JSON.stringify(change(JSON.parse(text)))
  } catch {
    return String((change({ text }) as { text: string }).text)
  }
}

/**
 * Repeats the items of every non-empty list. If there is no list, adds a list of copies of the
 * value.
 */
function repeatItems(value: unknown, bytes: number): unknown {
  const lists = listsIn(value)
  if (lists.length === 0) return { ...(value as object), more: repeated([value], bytes) }
  const bytesPerList = bytes / lists.length
  for (const list of lists) for (const item of repeated(list, bytesPerList)) list.push(item)
  return value
}

function repeated(items: unknown[], bytes: number): unknown[] {
  const size = Math.max(2, JSON.stringify(items).length)
  return Array.from({ length: Math.floor(bytes / size) }, () => items).flat()
}

function listsIn(value: unknown): unknown[][] {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.values(value)
  // Takes only the outermost lists, because their items contain the inner ones.
  if (Array.isArray(value) && value.length > 0) return [value]
  return inside.flatMap(listsIn)
}

function lengthenTexts(value: unknown, pattern: string, bytes: number): unknown {
  const count = Math.max(1, countTexts(value))
  const size = Math.floor(bytes / count / 2)
  const long = pattern.repeat(Math.ceil(size / pattern.length)).slice(0, size)
  return mapTexts(value, (text) => text + long + text)
}

const countTexts = (value: unknown): number =>
  typeof value === 'string'
    ? 1
    : typeof value === 'object' && value !== null
      ? Object.values(value).reduce((sum: number, child) => sum + countTexts(child), 0)
      : 0

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, mapTexts(child, change)]))
}

const keys = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index.toString(36)}`, index % 10]))
