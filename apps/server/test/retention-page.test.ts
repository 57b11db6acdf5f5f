import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { settings } from '@oxbow/server'
import { jobs } from '../src/app.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const page = readFileSync(join(root, 'docs/operating/retention.md'), 'utf8')
const schema = readFileSync(join(root, 'apps/server/src/migrations/schema.sql'), 'utf8')

const codeIn = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code as string)

/** Rows of the table with the heading "Tables": each with its five cells. */
const rows = page
  .slice(page.indexOf('## Tables'), page.indexOf('### The event log'))
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').slice(1, -1))

test('the page on retention lists every table of the schema once, and no other', () => {
  const tables = [...schema.matchAll(/^CREATE (?:UNLOGGED )?TABLE public\.(\w+)/gm)].map(([, name]) => name)
  const listed = rows.flatMap(([names = '']) => codeIn(names))
  assert.ok(tables.length > 60)
  assert.deepEqual(listed.toSorted(), tables.toSorted())
})

test('the page on retention says for each table what it contains and how long it is kept', () => {
  for (const cells of rows) {
    assert.equal(cells.length, 5, cells[0])
    const [, content = '', kept = ''] = cells
    assert.ok(content.trim() !== '' && kept.trim() !== '', cells[0])
  }
})

test('every setting and every job on the page on retention exists', () => {
  const variables = new Set<string>(Object.values(settings).map(({ env }) => env))
  for (const name of page.match(/OXBOW_[A-Z_]+/g) ?? []) assert.ok(variables.has(name), name)
  const jobNames = new Set(jobs.map(({ name }) => name))
  const inColumn = rows.flatMap((cells) => codeIn(cells[4] ?? ''))
  for (const name of [...inColumn, 'tidy_files']) assert.ok(jobNames.has(name), name)
})

test('every scheduled job that deletes data is on the retention page', () => {
  const others = ['rewrite_seals', 'index_messages']
  const scheduled = jobs.filter(({ schedule, name }) => schedule && !others.includes(name))
  for (const { name } of scheduled) assert.ok(page.includes(`\`${name}\``), name)
})
