import assert from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadConfig } from './load-config.ts'
import { settings } from './settings.ts'
import { showConfig } from './show-config.ts'

const fileWith = (text: string): string => {
  const file = join(mkdtempSync(join(tmpdir(), 'oxbow-config-')), 'oxbow.json')
  writeFileSync(file, text)
  return file
}

test('all settings have usable defaults', () => {
  const { config, sources } = loadConfig({}, {})
  assert.equal(config.database_url, 'postgres:///oxbow?host=/var/run/postgresql')
  assert.equal(config.rate_limit_per_minute, 200)
  assert.ok(Object.values(sources).every((source) => source === 'default'))
})

test('the command line takes precedence over the environment, which takes precedence over the file', () => {
  const OXBOW_CONFIG = fileWith('{"port": 1001, "host": "10.0.0.1", "log_level": "warn"}')
  const { config, sources } = loadConfig(
    { port: '1003' },
    { OXBOW_CONFIG, OXBOW_PORT: '1002', OXBOW_HOST: '0.0.0.0' },
  )

  assert.deepEqual([config.port, config.host, config.log_level], [1003, '0.0.0.0', 'warn'])
  assert.deepEqual([sources.port, sources.host, sources.log_level], ['command line', 'environment', 'file'])
})

const mistakes: [string, NodeJS.ProcessEnv, RegExp][] = [
  [
    'a port that is not a number',
    { OXBOW_PORT: 'http' },
    /OXBOW_PORT: must be a whole number from 0 to 65535/,
  ],
  [
    'an external URL without a scheme',
    { OXBOW_EXTERNAL_URL: 'chat.example.com' },
    /OXBOW_EXTERNAL_URL: must be a URL like https:/,
  ],
  [
    'the URL of a database that is not PostgreSQL',
    { DATABASE_URL: 'mysql://x' },
    /DATABASE_URL: must start with postgres:/,
  ],
  [
    'a short secret',
    { OXBOW_SECRET: 'short' },
    /OXBOW_SECRET: must have at least 32 characters: try `openssl/,
  ],
  [
    'a daily limit of uploads below the limit of one file',
    { OXBOW_UPLOAD_MIB_PER_DAY: '24' },
    /OXBOW_UPLOAD_MIB_PER_DAY \(24\) is smaller than OXBOW_MAX_UPLOAD_MIB \(25\).* set .* to at least 25, or to 0/,
  ],
  [
    'a missing configuration file',
    { OXBOW_CONFIG: '/nowhere/oxbow.json' },
    /names \/nowhere\/oxbow\.json, which cannot be read/,
  ],
  [
    'a setting that does not exist',
    { OXBOW_CONFIG: fileWith('{"prot": 1}') },
    /do not exist: prot \(did you mean port\?\)\. The ones that do: .*port/,
  ],
]
for (const [name, env, message] of mistakes) {
  test(`a configuration error explains how to fix it: ${name}`, () => {
    assert.throws(() => loadConfig({}, env), message)
  })
}

test('all configuration errors are reported together', () => {
  assert.throws(
    () => loadConfig({}, { OXBOW_PORT: 'x', OXBOW_LOG_LEVEL: 'loud' }),
    /OXBOW_PORT.*\n.*OXBOW_LOG_LEVEL/,
  )
})

test('showConfig masks secrets and passwords', () => {
  const env = {
    DATABASE_URL: 'postgres://oxbow:sesame@db.example/oxbow?password=sesame',
    OXBOW_SECRET: 'sesame'.repeat(10),
    OXBOW_SMTP_URL: 'smtp://mailer:sesame@mail.example:587',
  }
  const shown = JSON.stringify(showConfig(loadConfig({}, env)))
  assert.ok(!shown.includes('sesame'), shown)
  assert.match(shown, /postgres:\/\/oxbow:\*{8}@db\.example\/oxbow/)
})

const masked: [string, string][] = [
  ['smtp://me@example.com:sesame@mail.example:587', 'smtp://me@example.com:********@mail.example:587'],
  ['smtp://u:ses@me@mail.example', 'smtp://u:********@mail.example'],
  ['smtp://u:x/sesame@mail.example', 'smtp://u:********@mail.example'],
  ['smtp://u:x@mail.example?auth.pass=sesame&b=1', 'smtp://u:********@mail.example?auth.pass=********&b=1'],
  ['smtp://mail.example:25', 'smtp://mail.example:25'],
  ['smtp://u@mail.example', 'smtp://u@mail.example'],
]
for (const [input, expected] of masked) {
  test(`a URL with credentials is shown as ${expected}`, () => {
    const shown = showConfig(loadConfig({}, { OXBOW_SMTP_URL: input })).find(
      ({ name }) => name === 'smtp_url',
    )
    assert.equal(shown?.value, expected)
  })
}

test('the password of the certificate key in the database URL is masked', () => {
  const [shown] = showConfig(
    loadConfig({}, { DATABASE_URL: 'postgres:///db?sslpassword=sesame&host=/tmp' }),
  ).filter(({ name }) => name === 'database_url')
  assert.equal(shown?.value, 'postgres:///db?sslpassword=********&host=/tmp')
})

test('a value that is not a number is refused for numeric settings', () => {
  for (const environment of [
    '{"port": null}',
    '{"rate_limit_per_minute": false}',
    '{"port": "1e3"}',
    '{"port": 1.5}',
  ]) {
    assert.throws(
      () => loadConfig({}, { OXBOW_CONFIG: fileWith(environment) }),
      /must be a whole number from \d+ to \d+/,
      environment,
    )
  }
  assert.throws(() => loadConfig({ port: '99999' }, {}), /--port: must be a whole number from 0 to 65535/)
  assert.equal(loadConfig({}, { OXBOW_CONFIG: fileWith('{"port": 99}') }).config.port, 99)
})

test('a boolean setting accepts only true and false', () => {
  const loadWith = (OXBOW_AVATAR_CHANGES_DISABLED: string) =>
    loadConfig({}, { OXBOW_AVATAR_CHANGES_DISABLED }).config.avatar_changes_disabled
  assert.deepEqual([loadWith('true'), loadWith('false'), loadWith('')], [true, false, false])
  assert.throws(() => loadWith('1'), /OXBOW_AVATAR_CHANGES_DISABLED: must be true or false/)
})

test('every setting has a description and a unique variable', () => {
  const variables = Object.values(settings).map(({ env }) => env)
  assert.equal(new Set(variables).size, variables.length)
  assert.ok(Object.values(settings).every(({ about }) => about.length > 15))
})
