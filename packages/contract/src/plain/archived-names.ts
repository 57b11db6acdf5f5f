import { maxStreamNameLength } from './limits.ts'

const archiveMark = '!DEACTIVATED:'
const maxArchiveMarks = 21

/**
 * Lists possible names for an archived stream, the preferred name first. An archived stream is
 * renamed so that new streams can use its name. The last entry is random, so no other stream has
 * it.
 */
export function listArchivedNames(name: string): string[] {
  const cut = (text: string) => [...text].slice(0, maxStreamNameLength).join('')
  const marked = Array.from({ length: maxArchiveMarks }, (_, extra) =>
    cut(`${'!'.repeat(extra)}${archiveMark}${name}`),
  )
  return [...marked, cut(`${archiveMark}${crypto.randomUUID()}:${name}`)]
}
