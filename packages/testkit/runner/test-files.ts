import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { bySize } from '../src/size.ts'

/**
 * How a test file runs:
 * - `unit` files start neither a server nor a process.
 * - `shared` files share a process, and most of them a database and two nodes, with the other files of their shard.
 * - `alone` files run after all others, each in its own process: they measure pauses of a fleet of processes, or
 *   the memory of a process.
 */
export type Lane = 'unit' | 'shared' | 'alone'

/**
 * Lists the test files whose path contains one of `parts`, or all if there are none. A part that begins with `!`
 * excludes the files whose path contains the rest of it.
 */
export function listTestFiles(parts: readonly string[]): string[] {
  const excluded = parts.filter((part) => part.startsWith('!')).map((part) => part.slice(1))
  const included = parts.filter((part) => !part.startsWith('!'))
  return globSync('{packages,apps,scripts}/**/*.test.ts', { exclude: (name) => name === 'node_modules' })
    .filter((file) => included.length === 0 || included.some((part) => file.includes(part)))
    .filter((file) => !excluded.some((part) => file.includes(part)))
    .sort()
}

export function laneOf(file: string): Lane {
  // The gate skips all tests of such a file, and needs no separate process for that.
  if (file.endsWith('.long.test.ts')) return bySize({ gate: 'shared', long: 'alone' })
  if (file.includes('/faults/') || file.endsWith('.alone.test.ts')) return 'alone'
  return startsServers(file, new Set()) ? 'shared' : 'unit'
}

/** Returns whether a file imports the testkit or starts processes, itself or through its test helpers. */
function startsServers(file: string, visitedFiles: Set<string>): boolean {
  if (visitedFiles.has(file) || !existsSync(file)) return false
  visitedFiles.add(file)
  const text = readFileSync(file, 'utf8')
  if (
    /(?:from|import) '(@oxbow\/testkit(?:\/browser|\/(?:calls|garden|monitoring)\/[\w-]+)?|node:child_process|playwright-core)'/.test(
      text,
    )
  )
    return true
  const imports = text.matchAll(/from '(\.[^']+)'/g).map(([, path = '']) => join(dirname(file), path))
  return imports.some((path) => startsServers(path, visitedFiles))
}
