import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeError } from './describe-error.ts'

async function failTwice(): Promise<void> {
  await using _ = {
    async [Symbol.asyncDispose]() {
      throw new Error('the clean-up failed')
    },
  }
  throw new Error('the test failed')
}

const catchError = (call: () => Promise<void>) =>
  call().then(
    () => assert.fail('it did not fail'),
    (error: unknown) => error,
  )

test('the description of a suppressed error includes the failures of the test and of the clean-up', async () => {
  const error = await catchError(failTwice)

  assert.match(describeError(error), /Error: the test failed\n.*Error: the clean-up failed\n/s)
})

test('a suppressed error is described if it is a cause or a part of another error', async () => {
  const error = await catchError(failTwice)
  const outer = new Error('the property failed', { cause: new AggregateError([new Error('other'), error]) })

  const description = describeError(outer)

  assert.match(description, /Error: the property failed\n.*Error: other\n/s)
  assert.match(description, /Error: the test failed\n.*Error: the clean-up failed\n/s)
})
