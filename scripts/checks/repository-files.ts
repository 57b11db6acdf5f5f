import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns the files of the repository, also those that git does not track yet but would not ignore,
 * each with the hash of its content. Git knows most hashes, so this takes a tenth of a second.
 */
export function hashFiles(folder = '.'): Map<string, string> {
  const hashes = new Map<string, string>()
  for (const line of listByGit(folder, '--stage')) {
    const [, hash = '', path = ''] = /^\d+ (\w+) \d\t(.*)$/s.exec(line) ?? []
    hashes.set(path, hash)
  }
  for (const path of listByGit(folder, '--modified', '--others', '--deduplicate', '--exclude-standard')) {
    const hash = hashFile(join(folder, path))
    if (hash === undefined) hashes.delete(path)
    else hashes.set(path, hash)
  }
  return hashes
}

function listByGit(folder: string, ...options: string[]): string[] {
  const output = execFileSync('git', ['ls-files', '-z', ...options], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  return output.split('\0').filter((line) => line !== '')
}

/** Returns the id that git gives to a content; undefined if the file was deleted. */
function hashFile(path: string): string | undefined {
  try {
    const content = readFileSync(path)
    return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')
  } catch {
    return undefined
  }
}
