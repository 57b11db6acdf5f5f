import { execFileSync } from 'node:child_process'
import { createTestDatabase } from '@oxbow/testkit'
import { connectionOptions } from '../database.ts'
import { listFunctionFiles } from '../function-files.ts'

/**
 * Returns the schema that the migrations produce, without parts that differ between machines and
 * without functions that have their own files.
 */
export async function dumpSchema(): Promise<string> {
  await using database = await createTestDatabase()
  for (const { functions, types } of listFunctionFiles()) {
    for (const name of functions) await database.query(`drop function ${name}`)
    for (const name of types) await database.query(`drop type ${name}`)
  }
  const { host, port, user, database: name } = connectionOptions(database.url)
  const where = ['--host', host ?? '', '--username', user ?? '', ...(port ? ['--port', String(port)] : [])]
  const what = ['--schema-only', '--no-owner', '--no-privileges', '--schema=public']
  const text = execFileSync('pg_dump', [...where, ...what, name ?? ''], { encoding: 'utf8' })
  return `${text
    .split('\n')
    .filter((line) => !/^(--|SET |SELECT pg_catalog|\\)/.test(line) && !/SCHEMA public/.test(line))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`
}
