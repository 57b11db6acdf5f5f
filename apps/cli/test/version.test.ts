import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { createTestDatabase } from '@oxbow/testkit'
import { environmentFor, runOxbow } from './run-oxbow.ts'

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))

test('oxbow version prints the version of the root package', async () => {
  const environment = environmentFor('postgres://nobody@127.0.0.1:1/none')
  const { status, stdout } = await runOxbow(environment, 'version')
  assert.deepEqual([status, stdout], [0, `Oxbow ${version}, Node ${process.version}\n`])
})

test('all workspaces have the version of the root package', () => {
  const workspaces = ['apps/cli', 'apps/server', 'apps/web', 'packages/assets', 'packages/contract']
  for (const folder of [...workspaces, 'packages/markdown', 'packages/sdk', 'packages/search'])
    assert.equal(JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')).version, version, folder)
})

test('oxbow version --check compares its migrations with those of the database', async () => {
  await using database = await createTestDatabase()
  const check = async () => {
    const { status, stdout } = await runOxbow(environmentFor(database.url), 'version', '--check', '--json')
    const { state, pending, unknown } = JSON.parse(stdout)
    return { status, state, pending, unknown }
  }
  assert.deepEqual(await check(), { status: 0, state: 'same', pending: [], unknown: [] })

  const [last] = await database.query('select name from schema_migration order by name desc limit 1')
  await database.query('delete from schema_migration where name = $1', [last?.name])
  assert.deepEqual(await check(), { status: 0, state: 'older', pending: [last?.name], unknown: [] })

  await database.query("insert into schema_migration values ($1, 'x'), ('9999_later', 'x')", [last?.name])
  assert.deepEqual(await check(), { status: 1, state: 'newer', pending: [], unknown: ['9999_later'] })

  await database.query('drop table schema_migration')
  assert.equal((await check()).state, 'empty')
})
