import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isStrongPassword } from './password-strength.ts'

const server = (mode: 'production' | 'development') => ({ config: { mode } as never })

test('a password is strong if it is long enough and hard to guess', async () => {
  const cases: [password: string, strong: boolean][] = [
    ['', false],
    ['12345', false],
    ['x9%Lq', false],
    ['🌹🌷🌻🌼🍀', false],
    ['123456', false],
    ['aaaaaaaaaaaa', false],
    ['password', false],
    ['P@ssw0rd', false],
    ['qwerty', false],
    ['x9%Lq2', true],
    ['🌹🌷🌻🌼🍀🌵', true],
    ['correct horse battery staple', true],
    ['plum tree 51 garden', true],
  ]
  for (const [password, strong] of cases)
    assert.equal(await isStrongPassword(server('production'), password), strong, password)
})

test('a development server accepts any password strength', async () => {
  for (const password of ['', 'x', 'password'])
    assert.equal(await isStrongPassword(server('development'), password), true)
})

test('only the first 100 characters of a password are examined', async () => {
  assert.equal(await isStrongPassword(server('production'), 'plum tree 51 garden '.repeat(50_000)), true)
})

test('a password that takes long to estimate does not block the event loop', async () => {
  await isStrongPassword(server('production'), 'the estimator is loaded')
  const slow = '4@8({[</369&#!1|0$5+7%2'.repeat(5)
  const started = performance.now()
  const before = process.threadCpuUsage()

  await isStrongPassword(server('production'), slow)

  const took = performance.now() - started
  const { user, system } = process.threadCpuUsage(before)
  const own = (user + system) / 1000
  assert.ok(took > 50, `judged in ${took} ms: no longer slow, choose another`)
  assert.ok(own < 20, `${own} ms of this thread's own time`)
})
