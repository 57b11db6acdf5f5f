import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findAssetPath } from '@oxbow/assets'
import { listFunctionFiles } from './function-files.ts'

export interface Migration {
  name: string
  sql: string
  checksum: string
}

const directory = join(findAssetPath('sql'), 'migrations')

export function listMigrations(folder = directory): Migration[] {
  return readdirSync(folder)
    .filter((file) => /^\d{4}_.*\.sql$/.test(file))
    .sort()
    .map((file) => {
      const sql = readFileSync(join(folder, file), 'utf8')
      return {
        name: file.replace(/\.sql$/, ''),
        sql,
        checksum: createHash('sha256').update(sql).digest('hex'),
      }
    })
}

/** Returns a short hash of all migrations and SQL functions. */
export function schemaVersion(): string {
  const versions = [
    ...listMigrations().map(({ checksum }) => checksum),
    ...listFunctionFiles().map(({ version }) => version),
  ]
  return createHash('sha256').update(versions.join()).digest('hex').slice(0, 12)
}
