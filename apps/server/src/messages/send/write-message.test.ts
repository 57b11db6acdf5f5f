import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LoadedPreconditions } from './preconditions.ts'
import { sendWithPreconditions } from './write-message.ts'

const loaded = (text: string): LoadedPreconditions => ({ text, preconditions: {} as never })
const [cached, read, changed] = ['cached', 'read', 'changed'].map(loaded)

test('an attempt to send gets the preconditions that the last one found, or those that are read', async () => {
  const used: string[] = []
  const next = [{ changedTo: changed }, { changedTo: undefined }, { sent: 'the message' }]
  const sent = await sendWithPreconditions(
    cached,
    async () => read as LoadedPreconditions,
    async ({ text }) => {
      used.push(text)
      return next[used.length - 1] as { sent: string }
    },
  )

  assert.equal(sent, 'the message')
  assert.deepEqual(used, ['cached', 'changed', 'read'])
})

test('a message whose preconditions change in every attempt is not sent', async () => {
  let attempts = 0
  const sending = sendWithPreconditions(
    undefined,
    async () => read as LoadedPreconditions,
    async () => {
      attempts++
      return { changedTo: changed }
    },
  )

  await assert.rejects(sending, /changed 10 times/)
  assert.equal(attempts, 10)
})
