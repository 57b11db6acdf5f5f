import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '@oxbow/testkit'
import { environmentFor, runOxbow } from './run-oxbow.ts'

test('user erase erases a person after a confirmation, and refuses the only owner', async () => {
  await using database = await createTestDatabase()
  await database.query('delete from server')
  const environment = environmentFor(database.url)
  const owner = ['--owner-email', 'owner@root.example', '--owner-name', 'Iris Owner']
  await runOxbow(environment, 'organization', 'create', '--name', 'Our team', ...owner)
  const email = 'otto@root.example'
  await runOxbow(environment, 'user', 'create', '--email', email, '--name', 'Otto Gone')

  const unconfirmed = await runOxbow(environment, 'user', 'erase', email)
  assert.match(
    unconfirmed.stderr,
    /This erases Otto Gone for ever\. To confirm, add --confirm "otto@root.example"/,
  )
  const withMessages = await runOxbow(environment, 'user', 'erase', email, '--delete-messages')
  assert.match(
    withMessages.stderr,
    /This erases Otto Gone and deletes all their messages and uploads for ever\. To confirm/,
  )
  for (const nobody of ['nobody@root.example', '123456789', '9'.repeat(30)]) {
    const { stderr } = await runOxbow(environment, 'user', 'erase', nobody, '--confirm', nobody)
    assert.match(stderr, new RegExp(`Nobody in Our team has the address or id ${nobody}\\.`))
  }
  const wrong = await runOxbow(environment, 'user', 'erase', email, '--confirm', 'other')
  assert.match(wrong.stderr, /Nothing was erased/)
  const last = await runOxbow(
    environment,
    'user',
    'erase',
    'owner@root.example',
    '--confirm',
    'owner@root.example',
  )
  assert.match(last.stderr, /the only owner/)
  assert.equal((await runOxbow(environment, 'user', 'list')).stdout.includes('Otto Gone'), true)

  const erased = await runOxbow(environment, 'user', 'erase', email, '--confirm', email)
  assert.equal(erased.status, 0, erased.stderr)
  assert.match(erased.stdout, /^The user with the id \d+ is erased, and replaced in mentions\./)
  const { stdout } = await runOxbow(environment, 'user', 'list')
  assert.match(stdout, /Deleted user/)
  assert.doesNotMatch(stdout, /otto/i)
})
