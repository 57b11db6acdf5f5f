export interface Page {
  path: string
  text: string
}

/** Matches the first folder of a path, by which paths are recognized. */
const roots = /^(apps|packages|scripts|docs|\.ci|\.github)\//
const fileName = /\.(ts|tsx|sql|md|json|css|sh)$/

/**
 * Returns one line for each path in code marks that does not exist. Paths must be complete from the
 * root of the repository, so a bare file name is reported unless the file is at the root.
 */
export function findMissingPaths(pages: readonly Page[], exists: (path: string) => boolean): string[] {
  return pages.flatMap(({ path: page, text }) =>
    [...new Set(listNamedPaths(text))]
      .filter((path) => !exists(path))
      .map((path) => `${page} names ${path}, which does not exist`),
  )
}

function listNamedPaths(text: string): string[] {
  const marked = [...text.matchAll(/`([^`\s]+)`/g)].map(([, mark = '']) => mark)
  return marked.filter((mark) => roots.test(mark) || fileName.test(mark))
}
