import assert from 'node:assert/strict'
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTestDatabase } from '@oxbow/testkit'
import { environmentFor, runOxbow } from './run-oxbow.ts'

test('a secret in data_dir is changed by renaming its file and `oxbow secret rotate`', async () => {
  await using database = await createTestDatabase()
  await database.query('delete from server')
  const environment = environmentFor(database.url)
  const owner = ['--owner-email', 'me@example.com', '--owner-name', 'My Name']
  const created = await runOxbow(
    environment,
    'organization',
    'create',
    '--name',
    'Our team',
    ...owner,
    '--json',
  )
  const { api_key } = JSON.parse(created.stdout)
  const early = await runOxbow(environment, 'secret', 'rotate')
  assert.equal(early.status, 1)
  assert.match(early.stderr, /first give every node both secrets/)

  const file = join(String(environment.env.OXBOW_DATA_DIR), 'secret')
  renameSync(file, `${file}.old`)
  const { status, stdout, stderr } = await runOxbow(environment, 'secret', 'rotate')
  assert.equal(status, 0, stderr)
  assert.match(stdout, /user_account\.api_key_sealed: 1 rewritten/)
  assert.match(stdout, /The old secret can be removed/)
  rmSync(`${file}.old`)
  const shown = await runOxbow(environment, 'user', 'api-key', '--email', 'me@example.com')
  assert.equal(shown.stdout.trim(), api_key, shown.stderr)
})
