import type { Page } from './page.ts'

/** Objects that are looked at; pages with more are lists of products or the like. */
const maxObjects = 200

type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Types that describe a part of the site rather than the page, and are used last. */
const ofSite =
  /^(?:WebSite|Organization|BreadcrumbList|ImageObject|Person|SearchAction|SiteNavigationElement)$/

/**
 * Reads what JSON-LD scripts say of a page: the first object with a headline or name that describes
 * the page itself, else any.
 */
export function readJsonLd(scripts: readonly string[]): Page {
  const objects = scripts.flatMap((script) => listObjects(parseJson(script))).slice(0, maxObjects)
  const named = objects.filter((object) => readTitle(object) !== '')
  const found = named.find((object) => !isOfSite(object)) ?? named[0]
  if (!found) return { title: '', description: '', image: '' }
  return {
    title: readTitle(found),
    description: readText(found.description),
    image: readImage(found.image) || readImage(found.thumbnailUrl),
  }
}

const readTitle = (object: Json): string => readText(object.headline) || readText(object.name)

const isOfSite = ({ '@type': type }: Json): boolean =>
  (Array.isArray(type) ? type : [type]).every((typeName) => ofSite.test(readText(typeName)))

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Objects are at the top, in a list, or in a list named `@graph`. */
function listObjects(value: unknown): Json[] {
  const list = Array.isArray(value) ? value.slice(0, maxObjects) : [value]
  return list
    .filter(isObject)
    .flatMap((object) =>
      Array.isArray(object['@graph'])
        ? [object, ...object['@graph'].slice(0, maxObjects).filter(isObject)]
        : [object],
    )
}

export const readText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A picture is a URL, an object with one, or a list of either. */
function readImage(value: unknown): string {
  const first = Array.isArray(value) ? value[0] : value
  return isObject(first) ? readText(first.url) || readText(first.contentUrl) : readText(first)
}
