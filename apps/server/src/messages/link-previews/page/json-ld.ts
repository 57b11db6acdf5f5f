import type { Page } from './page.ts'

/**
 * Maximum number of objects that are examined. Pages with more objects are usually product lists.
 */
const maxObjects = 200

type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Types that describe the site rather than the page. They are used only if no other object is
 * found.
 */
const siteTypes =
  /^(?:WebSite|Organization|BreadcrumbList|ImageObject|Person|SearchAction|SiteNavigationElement)$/

/**
 * Reads the description of a page from its JSON-LD scripts. Uses the first object with a headline
 * or name that describes the page itself; if there is none, the first object with a headline or
 * name.
 */
export function readJsonLd(scripts: readonly string[]): Page {
  const objects = scripts.flatMap((script) => listObjects(parseJson(script))).slice(0, maxObjects)
  const named = objects.filter((object) => readTitle(object) !== '')
  const found = named.find((object) => !isAboutSite(object)) ?? named[0]
  if (!found) return { title: '', description: '', image: '' }
  return {
    title: readTitle(found),
    description: readText(found.description),
    image: readImage(found.image) || readImage(found.thumbnailUrl),
  }
}

const readTitle = (object: Json): string => readText(object.headline) || readText(object.name)

const isAboutSite = ({ '@type': type }: Json): boolean =>
  (Array.isArray(type) ? type : [type]).every((typeName) => siteTypes.test(readText(typeName)))

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Lists objects at the top level, in a top-level list, and in a list named `@graph`. */
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

/** Returns the URL of a picture, which can be a URL, an object with a URL, or a list of either. */
function readImage(value: unknown): string {
  const first = Array.isArray(value) ? value[0] : value
  return isObject(first) ? readText(first.url) || readText(first.contentUrl) : readText(first)
}
