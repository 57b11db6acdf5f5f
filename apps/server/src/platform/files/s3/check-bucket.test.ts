import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort, type S3Config, startS3Server } from '@oxbow/testkit'
import { ConfigError, loadConfig } from '../../config/load-config.ts'
import type { Config } from '../../config/settings.ts'
import { showConfig } from '../../config/show-config.ts'
import { SetupError } from '../../operator-error.ts'
import { tryFileStore } from '../open-file-store.ts'
import { s3Files } from './s3-files.ts'
import { readS3Settings, type S3Settings } from './s3-settings.ts'

const server = await startS3Server()
const bucket = await server.createBucket()
const check = (changes: Partial<Config>) => tryFileStore(loadConfig({ ...bucket, ...changes }, {}).config)

test('a bucket that can be used passes the check and stays empty', async () => {
  assert.equal(await check({ s3_prefix: 'some/folder' }), undefined)
  const settings = readS3Settings(loadConfig(bucket, {}).config) as S3Settings
  for await (const { key } of s3Files(settings).list('')) assert.fail(key)
})

const mistakes: [what: string, changes: Partial<S3Config>, text: RegExp][] = [
  [
    'a wrong secret',
    { s3_secret_key: 'wrong-secret' },
    /does not accept the key test:tester.*\nCheck OXBOW_S3_ACCESS_KEY and OXBOW_S3_SECRET_KEY/,
  ],
  [
    'a key without rights',
    { s3_access_key: 'test:nobody' },
    /may not read, write, list and delete in .*\nGive/,
  ],
  ['a missing bucket', { s3_bucket: 'no-such-bucket' }, /has no bucket no-such-bucket\.\nCreate it, or name/],
  [
    'an https URL of a server without https',
    { s3_endpoint: `https://127.0.0.1:${server.port}` },
    /cannot be reached.*\nCheck OXBOW_S3_ENDPOINT \(http or https\?\)/,
  ],
]
for (const [what, changes, text] of mistakes) {
  test(`${what} is refused at start with instructions`, async () => {
    await assert.rejects(check(changes), (error: Error) => {
      assert.ok(error instanceof SetupError, error.stack)
      assert.match(error.message, text)
      assert.ok(!error.message.includes('wrong-secret') && !error.message.includes('testing'))
      return true
    })
  })
}

test('an object store that cannot be reached causes a warning at start', async () => {
  // A host name that cannot be resolved may belong to a container that is stopped.
  for (const [s3_endpoint, why] of [
    [`http://127.0.0.1:${await freePort()}`, /cannot be reached: connect ECONNREFUSED/],
    ['http://no-such-host.invalid', /no-such-host\.invalid cannot be reached/],
  ] as const) {
    const warning = String(await check({ s3_endpoint }))
    assert.match(warning, why)
    assert.match(warning, /Check OXBOW_S3_ENDPOINT, and that the object store is running/)
  }
})

test('settings of an object store that are incomplete or invalid are refused with their names', () => {
  const read = (settings: Record<string, string>) => () => readS3Settings(loadConfig(settings, {}).config)
  const refused: [Record<string, string>, RegExp][] = [
    [{ s3_bucket: 'oxbow-files' }, /OXBOW_S3_ACCESS_KEY is missing.*\n.*OXBOW_S3_SECRET_KEY is missing/],
    [{ s3_endpoint: 'https://s3.example.com' }, /OXBOW_S3_BUCKET is missing/],
    [{ ...bucket, s3_endpoint: 'https://user:pass@s3.example.com' } as never, /must be the URL of an object/],
    [{ ...bucket, s3_prefix: '../up' } as never, /must be names of letters/],
    [{ ...bucket, s3_bucket: 'a/b' } as never, /must be the name of a bucket/],
  ]
  for (const [settings, text] of refused)
    assert.throws(read(settings), (error) => error instanceof ConfigError && text.test(error.message))
  assert.equal(read({})(), undefined)
})

test('the URL of the bucket follows endpoint, region and path style', () => {
  const urlOf = (settings: Record<string, unknown>) =>
    readS3Settings(loadConfig({ ...bucket, s3_bucket: 'files', ...settings }, {}).config)?.bucketUrl
  const aws = { s3_endpoint: undefined, s3_region: 'eu-central-1' }
  assert.equal(urlOf(aws), 'https://files.s3.eu-central-1.amazonaws.com')
  assert.equal(urlOf({ s3_endpoint: 'https://s3.example.com/' }), 'https://s3.example.com/files')
  assert.equal(urlOf({ s3_endpoint: 'https://example.com/s3/' }), 'https://example.com/s3/files')
  const byHost = { s3_endpoint: 'http://localhost:9000', s3_path_style: 'false' }
  assert.equal(urlOf(byHost), 'http://files.localhost:9000')
})

test('the secret key is masked where settings are shown', () => {
  const shown = JSON.stringify(showConfig(loadConfig(bucket, {})))
  assert.ok(!shown.includes('testing') && shown.includes('test:tester'))
})
