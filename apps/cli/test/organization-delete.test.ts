import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { after, before, test } from 'node:test'
import { connectionOptions } from '@oxbow/server'
import { createTestDatabase, eventually, oxbowProgram, type TestDatabase } from '@oxbow/testkit'
import pg from 'pg'
import { type CommandEnvironment, environmentFor, runOxbow, typeToOxbow } from './run-oxbow.ts'

let database: TestDatabase
let environment: CommandEnvironment

before(async () => {
  database = await createTestDatabase()
  await database.query('delete from server')
  environment = environmentFor(database.url)
  await create('Our team', '')
  await create('Hill', 'hill')
})
after(() => database[Symbol.asyncDispose]())

async function create(name: string, subdomain: string): Promise<void> {
  const owner = ['--owner-email', `owner@${subdomain || 'root'}.example`, '--owner-name', 'Iris Owner']
  const made = await runOxbow(
    environment,
    'organization',
    'create',
    '--name',
    name,
    '--subdomain',
    subdomain,
    ...owner,
  )
  assert.equal(made.status, 0, made.stderr)
}

async function listNames(): Promise<string[]> {
  return (await database.query<{ name: string }>('select name from organization order by id')).map(
    ({ name }) => name,
  )
}

test('organization delete deletes nothing unless --confirm repeats the name of an organization', async () => {
  const unconfirmed = await runOxbow(environment, 'organization', 'delete', 'Our team')
  assert.match(unconfirmed.stderr, /This deletes Our team for ever\. To confirm, add --confirm "Our team"/)
  const wrong = await runOxbow(environment, 'organization', 'delete', 'Our team', '--confirm', 'Our teem')
  assert.match(wrong.stderr, /Nothing was deleted/)
  const unknown = await runOxbow(
    environment,
    'organization',
    'delete',
    'Their team',
    '--confirm',
    'Their team',
  )
  assert.match(unknown.stderr, /There is no organization "Their team"/)
  assert.deepEqual(await listNames(), ['Our team', 'Hill'])
})

test('an organization delete that was killed after its first step completes when it is run again', async () => {
  const { env } = environment
  // The deletion cannot complete while this lock is held.
  const holder = new pg.Client(connectionOptions(database.url))
  await holder.connect()
  await holder.query('begin; lock table message in access exclusive mode')
  const child = spawn(
    process.execPath,
    [oxbowProgram(), 'organization', 'delete', 'Our team', '--confirm', 'Our team'],
    {
      env,
      stdio: 'ignore',
    },
  )
  const exited = new Promise((resolve) => child.on('exit', resolve))
  await eventually(
    async () =>
      (await database.query('select from organization where deletion_began_at is not null')).length === 1,
  )
  child.kill('SIGKILL')
  await exited
  await holder.end()
  const { stdout: listed } = await runOxbow(environment, 'organization', 'list')
  assert.match(listed, /Our team +being deleted/)
  const reactivated = await runOxbow(environment, 'organization', 'reactivate')
  assert.match(reactivated.stderr, /Our team is being deleted/)

  const { status, shown } = await typeToOxbow(
    environment,
    [['Type "Our team" to confirm: ', 'Our team']],
    'organization',
    'delete',
    'Our team',
  )

  assert.equal(status, 0, shown)
  assert.match(shown, /Deleted Our team: \d+ rows and \d+ files/)
  assert.deepEqual(await listNames(), ['Hill'])
  await create('Our team', '')
})
