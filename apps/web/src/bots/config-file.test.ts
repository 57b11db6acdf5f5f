import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameConfigFile } from './config-file.ts'

test('the configuration file has the short name of the bot', () => {
  assert.equal(nameConfigFile({ email: 'herald-bot@garden.example' }), 'herald.zuliprc')
  assert.equal(nameConfigFile({ email: 'red-bot-bot@garden.example' }), 'red-bot.zuliprc')
  assert.equal(nameConfigFile({ email: 'imported@garden.example' }), 'imported.zuliprc')
})
