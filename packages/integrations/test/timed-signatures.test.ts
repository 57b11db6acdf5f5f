import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { test } from 'node:test'
import type { Signed } from '../src/kernel/signature.ts'
import { timedHmac } from '../src/kernel/signature.ts'
import { loadService } from '../src/services.ts'

const secret = 'whsec_roses'
const body = Buffer.from('{"type": "charge.succeeded"}')
const hex = (words: string, key = secret) =>
  createHmac('sha256', key).update(words).update(body).digest('hex')

async function isValid(service: string, header: string, more: Partial<Signed> = {}): Promise<boolean> {
  const signature = (await loadService(service))?.signature
  assert.ok(signature)
  return signature.isValid({ signature: header, secret, body, header: () => undefined, ...more })
}

const seconds = (ago = 0) => String(Math.floor(Date.now() / 1000) - ago)

test('stripe: a signature with timestamp and several secrets is verified', async () => {
  const t = seconds()
  const right = `v1=${hex(`${t}.`)}`
  assert.ok(await isValid('stripe', `t=${t},${right},v0=old`))
  assert.ok(await isValid('stripe', `t=${t},v1=${hex(`${t}.`, 'another')},${right}`))
  assert.ok(!(await isValid('stripe', `t=${t},v1=${hex(`${t}.`, 'another')}`)))
  assert.ok(!(await isValid('stripe', `t=${seconds(1)}0,${right}`)))
  assert.ok(!(await isValid('stripe', `t=${t},v0=${hex(`${t}.`)}`)))
})

test('stripe: a recorded delivery cannot be replayed later', async () => {
  const headerFor = (t: string) => `t=${t},v1=${hex(`${t}.`)}`
  assert.ok(await isValid('stripe', headerFor(seconds(290))))
  assert.ok(!(await isValid('stripe', headerFor(seconds(310)))))
  assert.ok(!(await isValid('stripe', headerFor(seconds(-310)))))
  for (const t of ['', 'soon', 'NaN', 'Infinity']) assert.ok(!(await isValid('stripe', headerFor(t))), t)
})

test('slack: the timestamp is read from its own header', async () => {
  const t = seconds()
  const header = (name: string) => (name === 'X-Slack-Request-Timestamp' ? t : undefined)
  const right = `v0=${hex(`v0:${t}:`)}`
  assert.ok(await isValid('slack', right, { header }))
  assert.ok(!(await isValid('slack', right)))
  assert.ok(!(await isValid('slack', right, { header: () => seconds(1000) })))
})

test('signature verification uses the given clock', () => {
  const read = ({ signature }: Signed) => ({ sentAt: 1000, before: '', signatures: [signature] })
  const at = (now: number) => timedHmac('X', { read, now: () => now, encoding: 'base64' })
  const signature = createHmac('sha256', secret).update(body).digest('base64')
  const signed = { signature, secret, body, header: () => undefined }
  assert.ok(at(301_000).isValid(signed))
  assert.ok(!at(301_001).isValid(signed))
})

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
function token(head: unknown, claims: unknown, key = secret): string {
  const signed = `${encode(head)}.${encode(claims)}`
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
}

test('netlify: a token with the digest of the body is verified', async () => {
  const head = { alg: 'HS256', typ: 'JWT' }
  const sha256 = createHash('sha256').update(body).digest('hex')
  const claims = { iss: 'netlify', sha256 }
  const right = token(head, claims)
  assert.ok(await isValid('netlify', right))
  const wrong = [
    token(head, claims, 'another'),
    token(head, { ...claims, iss: 'someone' }),
    token(head, { ...claims, sha256: sha256.replace(/./, 'x') }),
    token(head, null),
    `${encode({ alg: 'none' })}.${encode(claims)}.`,
    `${right}.more`,
    right.slice(0, -1),
    '',
    '..',
  ]
  for (const header of wrong) assert.ok(!(await isValid('netlify', header)), header)
  assert.ok(!(await isValid('netlify', right, { body: Buffer.from('{}') })))
})

test('heroku, circleci and notion: a signature of the body is verified', async () => {
  assert.ok(await isValid('heroku', createHmac('sha256', secret).update(body).digest('base64')))
  assert.ok(!(await isValid('heroku', hex(''))))
  assert.ok(await isValid('circleci', `v1=${hex('')}`))
  assert.ok(!(await isValid('circleci', hex(''))))
  assert.ok(await isValid('notion', `sha256=${hex('')}`))
  assert.ok(!(await isValid('notion', `sha256=${hex('', 'another')}`)))
})
