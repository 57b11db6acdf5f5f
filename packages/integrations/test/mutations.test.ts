import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleInGate } from '@oxbow/testkit/size'
import type { Outcome, OutgoingMessage } from '../src/kernel/outcome.ts'
import { type FixtureDelivery, listServices, readDeliveries } from './support/deliveries.ts'
import { childrenOf, type JsonField, removed, textsIn, withValue } from './support/json-fields.ts'
import { findSignsOfMissingValues } from './support/missing-values.ts'

const values = [removed, null, '', 0, 12345.5, true, 'text', [], {}]
/** Number of mutations per value, unless the tests run at full size. */
const mutationsInGate = 2

for (const service of await listServices()) {
  test(`${service}: a payload with missing values becomes a complete message or is refused`, async () => {
    for (const delivery of await readDeliveries(service)) {
      const outcome = delivery.translate()
      const original = { outcome: JSON.stringify(outcome), faults: new Set(findFaults(delivery, outcome)) }
      for (const field of childrenOf(delivery.payload)) mutateWithin(delivery, field, original)
    }
  })
}

interface Original {
  outcome: string
  faults: ReadonlySet<string>
}

function mutateWithin(delivery: FixtureDelivery, field: JsonField, original: Original): void {
  const outcomes = sampleInGate(values, mutationsInGate).map((value) =>
    mutate(delivery, field, value, original),
  )
  // If no mutation changes the outcome, the value is not read, and neither are the values inside it.
  if (outcomes.every((outcome) => outcome === original.outcome)) return
  for (const inner of childrenOf(field.holder[field.key], field)) mutateWithin(delivery, inner, original)
}

/** Translates the delivery with another value, checks the outcome and returns it. */
function mutate(delivery: FixtureDelivery, field: JsonField, value: unknown, original: Original): string {
  const received = `${delivery.name}.json with ${field.path} ${value === removed ? 'removed' : `= ${JSON.stringify(value)}`}`
  return withValue(field, value, () => {
    let outcome: Outcome
    try {
      outcome = delivery.translate()
    } catch (error) {
      throw new Error(`${received} throws`, { cause: error })
    }
    const result = JSON.stringify(outcome)
    const faults = findFaults(delivery, outcome).filter((fault) => !original.faults.has(fault))
    assert.deepEqual(faults, [], `${received}: ${result}`)
    return result
  })
}

function findFaults({ payload }: FixtureDelivery, outcome: Outcome): string[] {
  switch (outcome.kind) {
    case 'ignored':
      return []
    case 'unsupported':
      return outcome.event.trim() === '' ? ['an event without a name'] : []
    case 'refused':
      return 'missingField' in outcome.reason && outcome.reason.missingField === ''
        ? ['a missing field without a name']
        : []
    case 'messages':
      return outcome.messages.flatMap((message) => findMessageFaults(message, payload))
  }
}

/** Messages without faults. Most mutations change a value that is not read, and produce the same message. */
const faultless = new Set<string>()

function findMessageFaults(message: OutgoingMessage, payload: unknown): string[] {
  const messageText = `${message.topic}\n${message.content}`
  if (faultless.has(messageText)) return []
  if (findSignsOfMissingValues(message).length > 0) return findSignsOfMissingValues(message, textsIn(payload))
  faultless.add(messageText)
  return []
}

const incompleteMessages: readonly [string, string][] = [
  ['iris pushed to undefined.', 'undefined'],
  ['null closed [#1](https://x.example)', 'null'],
  ['took NaN seconds', 'NaN'],
  ['by [object Object].', 'object'],
  ['on Invalid Date', 'Invalid Date'],
  ['see [](https://x.example)', 'link without words'],
  ['see [it]()', 'link to nowhere'],
  ['**** pushed', 'bold'],
  ['on branch ``', 'code'],
  ['was closed ().', 'brackets'],
  ['opened issue # today', 'number sign'],
  ['closed by .', 'preposition'],
  ['closed by', 'preposition'],
  ['moved from **a** to .', 'preposition'],
  ['closed .', 'space before'],
  ['iris  pushed', 'two spaces'],
  ['all:\n* **State**: ', 'key without value'],
  ['all:\n* \n* b', 'empty bullet'],
  ['said:\n``` quote\n\n```', 'empty block'],
  ['commented:', 'colon'],
  [' pushed to main', 'starts with a space'],
  ['', 'empty text'],
]

for (const [content, kind] of incompleteMessages)
  test(`an incomplete message is detected: ${JSON.stringify(content)}`, () => {
    const found = findSignsOfMissingValues({ topic: 'garden', content })
    assert.ok(
      found.some((fault) => fault.includes(kind)),
      found.join('\n'),
    )
  })

test('an incomplete topic is detected', () => {
  for (const topic of ['garden /', '/ main', 'Incident #', 'Issue:', ''])
    assert.notDeepEqual(findSignsOfMissingValues({ topic, content: 'Hello.' }), [], topic)
})

test('spaces in code are accepted, missing values in code are not', () => {
  const message = (code: string) => ({ topic: 'garden', content: `Failed:\n\n\`\`\`js\n${code}\n\`\`\`` })
  assert.deepEqual(findSignsOfMissingValues(message('  if (x)  foo() ;\n\n  return `` // by')), [])
  assert.equal(findSignsOfMissingValues(message('undefined')).length, 1)
})

test('texts of the payload and complete messages are accepted', () => {
  const content = 'iris [closed](https://x.example) it:\n\n``` quote\nx is undefined\n```'
  assert.deepEqual(findSignsOfMissingValues({ topic: 'garden / main', content }, ['x is undefined']), [])
  assert.equal(findSignsOfMissingValues({ topic: 'garden / main', content }, ['x']).length, 1)
})
