import type { Fixture } from '@oxbow/integrations/fixtures'

/**
 * Functions that enlarge a real delivery of a service to about `bytes`, each in a way that is costly
 * to process.
 */
export const inflations: Record<string, (fixture: Fixture, bytes: number) => Fixture> = {
  'very long lists': (fixture, bytes) => inflate(fixture, (value) => repeatItems(value, bytes)),
  'texts of spaces': (fixture, bytes) => inflate(fixture, (value) => lengthenTexts(value, ' \t', bytes)),
  'texts of brackets': (fixture, bytes) => inflate(fixture, (value) => lengthenTexts(value, '[<`*_(', bytes)),
  'lines that only begin like fences': (fixture, bytes) =>
    inflate(fixture, (value) => addUnclosedLines(value, bytes)),
  'many keys': (fixture, bytes) =>
    inflate(fixture, (value) => withKeys(value as object, Math.floor(bytes / 11))),
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

/** Begins each text that consists of several words with a line that would be a fence without its last character. */
function addUnclosedLines(value: unknown, bytes: number): unknown {
  const isSentence = (text: string) => text.includes(' ')
  const count = Math.max(1, countTexts(value, isSentence))
  // A translator cuts texts after 20,000 characters.
  const line = `\`\`\`${'a'.repeat(Math.min((bytes * 0.9) / count, 19_900))}\`\n`
  return mapTexts(value, (text) => (isSentence(text) ? line + text : text))
}

const countTexts = (value: unknown, isCounted: (text: string) => boolean = () => true): number =>
  typeof value === 'string'
    ? Number(isCounted(value))
    : typeof value === 'object' && value !== null
      ? Object.values(value).reduce((sum: number, child) => sum + countTexts(child, isCounted), 0)
      : 0

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, mapTexts(child, change)]))
}

/** Returns a copy of the value with more keys. Assigns each key once, because there are half a million. */
function withKeys(value: object, count: number): object {
  const copy: Record<string, unknown> = { ...value }
  for (let index = 0; index < count; index++) copy[`k${index.toString(36)}`] = index % 10
  return copy
}
