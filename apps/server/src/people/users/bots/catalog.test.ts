import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BotCatalog, checkEmbedded, checkIntegration, createBotCatalog } from './catalog.ts'

const shortWords = (value: string) => (value.length > 5 ? 'too long' : undefined)
const catalog: BotCatalog = {
  findIntegration: (name) =>
    name === 'gate'
      ? new Map([
          ['key', shortWords],
          ['lock', () => undefined],
        ])
      : undefined,
  canRunEmbedded: (_name, config) => config.mood !== 'wild',
}
const check = (name: string, config: Record<string, string>) => () => checkIntegration(catalog, name, config)

test("checkIntegration refuses configurations that break the integration's rules", () => {
  assert.throws(check('door', {}), { message: "Invalid integration 'door'." })
  assert.throws(check('gate', {}), { message: 'Missing configuration parameters: key, lock' })
  assert.throws(check('gate', { lock: '' }), { message: 'Missing configuration parameters: key' })
  assert.throws(check('gate', { key: 'golden', lock: '' }), {
    message: 'Invalid key value golden (too long)',
  })
  check('gate', { key: 'gold', lock: '', more: 'x' })()
})

test('checkEmbedded refuses configurations that the embedded program does not accept', () => {
  assert.throws(() => checkEmbedded(catalog, 'x', { mood: 'wild' }), {
    message: 'Invalid configuration data!',
  })
  checkEmbedded(catalog, 'x', {})
})

test('createBotCatalog finds only the given integrations', () => {
  const { findIntegration } = createBotCatalog(['github', 'slack_incoming'])
  assert.deepEqual(['github', 'slack_incoming'].map(findIntegration), [new Map(), new Map()])
  assert.deepEqual(['', 'Git', 'gitlab', '../github', 'constructor'].filter(findIntegration), [])
})
