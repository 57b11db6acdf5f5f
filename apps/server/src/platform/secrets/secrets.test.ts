import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { createTestDatabase } from '@oxbow/testkit'
import { startNode } from '../../node.ts'
import { loadConfig } from '../config/load-config.ts'
import { makeSecrets, readSecret } from './secrets.ts'

test('a keyed hash is the HMAC-SHA-256 of the text with a key derived from the secret', () => {
  const secret = 'a'.repeat(32)
  const key = Buffer.from(hkdfSync('sha256', secret, 'oxbow', 'hash', 32))
  for (const text of ['', 'a', 'ü'.repeat(100), randomBytes(500).toString('base64')]) {
    assert.deepEqual(makeSecrets(secret).hash(text), createHmac('sha256', key).update(text).digest())
  }
})

test('a seal opens only with the same secret, and two seals of a text differ', () => {
  const [ours, theirs] = [makeSecrets('a'.repeat(32)), makeSecrets('b'.repeat(32))]
  const binding = ['api key', 1, 7] as const
  const sealed = ours.seal('an API key', binding)

  assert.equal(ours.open(sealed, binding), 'an API key')
  assert.throws(() => theirs.open(sealed, binding))
  assert.notDeepEqual(ours.seal('an API key', binding), sealed)
  for (let at = 0; at < sealed.length; at++) {
    const touched = Buffer.from(sealed)
    touched[at] = (touched[at] ?? 0) ^ 1
    assert.throws(() => ours.open(touched, binding), `byte ${at}`)
  }
})

test('a seal opens only with its binding', () => {
  const secrets = makeSecrets('a'.repeat(32))
  const sealed = secrets.seal('an API key', ['api key', 1, 7])
  for (const other of [
    ['api key', 1, 8],
    ['api key', 2, 7],
    ['bot token', 1, 7],
    ['api key', 17],
  ] as const)
    assert.throws(() => secrets.open(sealed, other), JSON.stringify(other))
})

test('a secret file is created on first use, readable only by its owner, and reused', () => {
  const data_dir = join(mkdtempSync(join(tmpdir(), 'oxbow-data-')), 'new')
  const secret = readSecret({ data_dir, secret: undefined })

  assert.ok(secret.length >= 40)
  assert.equal(readSecret({ data_dir, secret: undefined }), secret)
  assert.equal(statSync(join(data_dir, 'secret')).mode & 0o777, 0o600)
})

test('a truncated secret file is refused', () => {
  const data_dir = mkdtempSync(join(tmpdir(), 'oxbow-data-'))
  writeFileSync(join(data_dir, 'secret'), '')
  assert.throws(() => readSecret({ data_dir, secret: undefined }), /is empty or cut off/)
})

test('processes that create the secret concurrently all read the same secret', async () => {
  const data_dir = mkdtempSync(join(tmpdir(), 'oxbow-data-'))
  const program = `import { readSecret } from '${new URL('./secrets.ts', import.meta.url).href}'
    process.stdout.write(readSecret({ data_dir: ${JSON.stringify(data_dir)}, secret: undefined }))`
  const run = promisify(execFile)
  const read = () => run(process.execPath, ['--input-type=module', '--eval', program])
  const outputs = await Promise.all(Array.from({ length: 6 }, read))
  assert.equal(new Set(outputs.map(({ stdout }) => stdout)).size, 1)
  assert.deepEqual(readdirSync(data_dir), ['secret'])
})

test('a node whose secret differs from that of the database does not start', async () => {
  await using database = await createTestDatabase()
  const { config } = loadConfig(
    { database_url: database.url, secret: 'another secret, long enough to be one' },
    {},
  )
  await assert.rejects(startNode(config), /set up with another secret than the one in OXBOW_SECRET/)
})

test('the database contains no API key in plain text', async () => {
  await using database = await createTestDatabase()
  const columns = await database.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_name = 'user_account' and column_name like 'api_key%'`,
  )
  assert.deepEqual(columns.map(({ name }) => name).sort(), ['api_key_hash', 'api_key_sealed'])
})
