import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { makeTeam, profiles, writeCsv } from '@oxbow/imports/generate'
import { createTestDatabase } from '@oxbow/testkit'
import { environmentFor, runOxbow } from './run-oxbow.ts'

const directory = mkdtempSync(join(tmpdir(), 'oxbow-import-'))
const database = await createTestDatabase()
after(async () => {
  await database[Symbol.asyncDispose]()
  rmSync(directory, { recursive: true, force: true })
})
// The server has another secret than the template of the database.
await database.query('delete from server')
const environment = environmentFor(database.url)
const csv = join(directory, 'csv')
await writeCsv(makeTeam(profiles.tiny), csv)

test('oxbow import check says what comes, changes nothing, and writes a page without scripts', async () => {
  const html = join(directory, 'report.html')
  const { status, stdout } = await runOxbow(environment, 'import', 'check', csv, '--html', html)
  assert.equal(status, 0)
  assert.match(stdout, /120 found = 120 imported \+ 0 left out/)
  const page = readFileSync(html, 'utf8')
  assert.match(page, /<th scope="col">found<\/th>/)
  assert.doesNotMatch(page, /<script/)
  assert.deepEqual(await database.query('select from organization'), [])
})

test('oxbow import check --shape prints no value of the archive', async () => {
  const { stdout } = await runOxbow(environment, 'import', 'check', csv, '--shape')
  assert.match(stdout, /messages\.csv/)
  assert.doesNotMatch(stdout, /garden\.example|Gärtner|Pruned/)
})

test('oxbow import check fails with advice if nobody would own the organization', async () => {
  const orphaned = join(directory, 'orphaned')
  await writeCsv(makeTeam(profiles.tiny), orphaned)
  writeFileSync(join(orphaned, 'people.csv'), 'id,name,email\nU00002XYZ,Iris,iris@garden.example\n')
  const { status, stdout } = await runOxbow(environment, 'import', 'check', orphaned)
  assert.equal(status, 1)
  assert.match(stdout, /Nobody would own the organization.*--owner ADDRESS/)
  const named = await runOxbow(environment, 'import', 'check', orphaned, '--owner', 'iris@garden.example')
  assert.equal(named.status, 0)
})

test('what is no archive is refused with advice and without a stack trace', async () => {
  const file = join(directory, 'letter.txt')
  writeFileSync(file, 'Dear Sir')
  const { status, stderr } = await runOxbow(environment, 'import', 'check', file)
  assert.equal(status, 1)
  assert.match(stderr, /not a ZIP archive/)
  assert.doesNotMatch(stderr, / at /)
})

test('a converted archive becomes an organization, and a second conversion gives the same records', async () => {
  const work = join(directory, 'work')
  const [first, second] = [join(directory, 'first'), join(directory, 'second')]
  for (const out of [first, second]) {
    const { status, stderr } = await runOxbow(
      environment,
      'import',
      'convert',
      csv,
      '--work',
      work,
      '--out',
      out,
    )
    assert.equal(status, 0, stderr)
  }
  const listed = (out: string) =>
    readdirSync(join(out, 'checksums')).map((name) => readFileSync(join(out, 'checksums', name), 'utf8'))
  assert.deepEqual(listed(second), listed(first))
  const { status, stdout, stderr } = await runOxbow(environment, 'organization', 'import', first)
  assert.equal(status, 0, stderr)
  assert.match(stdout, /Imported Imported organization as organization/)
})
