import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BotCatalog, catalogOf, checkEmbedded, checkIntegration } from './catalog.ts'

const shortWords = (value: string) => (value.length > 5 ? 'too long' : undefined)
const catalog: BotCatalog = {
  findIntegration: (name) =>
    name === 'gate'
      ? new Map([
          ['key', shortWords],
          ['lock', () => undefined],
        ])
      : undefined,
  suitsEmbedded: (_name, config) => config.mood !== 'wild',
}
const check = (name: string, config: Record<string, string>) => () => checkIntegration(catalog, name, config)

test('an integration says what its configuration must have', () => {
  assert.throws(check('door', {}), { message: "Invalid integration 'door'." })
  assert.throws(check('gate', {}), { message: 'Missing configuration parameters: key, lock' })
  assert.throws(check('gate', { lock: '' }), { message: 'Missing configuration parameters: key' })
  assert.throws(check('gate', { key: 'golden', lock: '' }), {
    message: 'Invalid key value golden (too long)',
  })
  check('gate', { key: 'gold', lock: '', more: 'x' })()
})

test('so does an embedded program', () => {
  assert.throws(() => checkEmbedded(catalog, 'x', { mood: 'wild' }), {
    message: 'Invalid configuration data!',
  })
  checkEmbedded(catalog, 'x', {})
})

test('bots are made for integrations that there are', () => {
  const { findIntegration } = catalogOf(['github', 'slack_incoming'])
  assert.deepEqual(['github', 'slack_incoming'].map(findIntegration), [new Map(), new Map()])
  assert.deepEqual(['', 'Git', 'gitlab', '../github', 'constructor'].filter(findIntegration), [])
})
