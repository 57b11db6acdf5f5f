import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the records of one type in an export. */
export function readRecords(directory: string, type: string): Record<string, unknown>[] {
  const folder = join(directory, 'records', type)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .sort()
    .flatMap((part) => readFileSync(join(folder, part), 'utf8').split('\n').slice(0, -1))
    .map((line) => JSON.parse(line))
}
