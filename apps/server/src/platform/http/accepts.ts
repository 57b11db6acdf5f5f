import { BoundedCache } from '../bounded-cache.ts'

/** Whether the `Accept` header of a client prefers HTML to JSON. A client without a preference gets JSON. */
export function prefersHtml(accept: string | undefined): boolean {
  return Boolean(accept && /text\//i.test(accept)) && preferenceOf(accept ?? '') > 0
}

/** Whether the `Accept` header of a client prefers JSON to HTML. */
export function prefersJson(accept: string | undefined): boolean {
  return Boolean(accept && /application\//i.test(accept)) && preferenceOf(accept ?? '') < 0
}

/** Parsed preferences by header, cached because browsers send the same few headers. */
const preferences = new BoundedCache<string, number>(1_000)
/** Longer headers are not cached, so that clients without an account cannot fill the memory. */
const maxCachedLength = 300

/** Returns how much a client prefers HTML to JSON; a negative number if it prefers JSON. */
function preferenceOf(accept: string): number {
  return accept.length > maxCachedLength
    ? readPreference(accept)
    : preferences.getOrMake(accept, () => readPreference(accept))
}

function readPreference(accept: string): number {
  const ranges = accept.split(',').map(readRange)
  return qualityOf(ranges, 'text', 'html') - qualityOf(ranges, 'application', 'json')
}

interface Range {
  type: string
  subtype: string
  quality: number
}

function readRange(text: string): Range {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const [type = '', subtype = ''] = name.split('/')
  const qualityText = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '')
  const isQuality = qualityText === undefined || /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(qualityText)
  return { type, subtype, quality: isQuality ? Number(qualityText ?? 1) : 0 }
}

/**
 * Returns the quality of the most specific matching range: `text/html` before `text/*` before `*` +
 * `/*`.
 */
function qualityOf(ranges: readonly Range[], type: string, subtype: string): number {
  const find = (ofType: string, ofSubtype: string) =>
    ranges.find((range) => range.type === ofType && range.subtype === ofSubtype)
  return (find(type, subtype) ?? find(type, '*') ?? find('*', '*'))?.quality ?? 0
}
