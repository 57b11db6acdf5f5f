import { dirname, join } from 'node:path'
import type { Page } from './how-to-paths.ts'

/**
 * Returns one line for each relative link of a page to a file or heading that does not exist. Links in code
 * are examples and not checked.
 */
export function findBrokenLinks(
  pages: readonly Page[],
  exists: (path: string) => boolean,
  read: (path: string) => string,
): string[] {
  return pages.flatMap(({ path: page, text }) =>
    [...new Set(listLinks(text))].flatMap((link) => {
      const [target = '', anchor] = link.split('#')
      const path = target === '' ? page : join(dirname(page), target)
      if (!exists(path)) return [`${page} links to ${link}, which does not exist`]
      if (anchor === undefined || !path.endsWith('.md')) return []
      const isHeading = listAnchors(target === '' ? text : read(path)).includes(anchor)
      return isHeading ? [] : [`${page} links to ${link}, but ${path} has no such heading`]
    }),
  )
}

/** Lists the targets of links to files and headings, without links to other hosts. */
function listLinks(text: string): string[] {
  const prose = text.replace(/^ *```[\s\S]*?^ *```/gm, '').replace(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^(?:[a-z]+:|\/)/.test(target))
}

/** Returns the anchors of the headings, as GitHub generates them. */
function listAnchors(text: string): string[] {
  const seen = new Map<string, number>()
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => {
    const anchor = heading
      .toLowerCase()
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-')
    const count = seen.get(anchor) ?? 0
    seen.set(anchor, count + 1)
    return count === 0 ? anchor : `${anchor}-${count}`
  })
}
