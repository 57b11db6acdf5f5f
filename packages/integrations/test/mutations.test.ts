import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleInGate } from '@oxbow/testkit/size'
import type { Outcome, OutgoingMessage } from '../src/kernel/outcome.ts'
import { type Known, knownDeliveries, listServices } from './support/deliveries.ts'
import { findHalfMade } from './support/half-made.ts'
import { childrenOf, type JsonField, removed, textsIn, withValue } from './support/json-fields.ts'

const values = [removed, null, '', 0, 12345.5, true, 'text', [], {}]
/** Mutations of each value of a payload. */
const inGate = 2

for (const service of await listServices()) {
  test(`${service}: payloads with missing values make a complete message or are refused`, async () => {
    for (const delivery of await knownDeliveries(service)) {
      const outcome = delivery.translate()
      const usual = { outcome: JSON.stringify(outcome), faults: new Set(faultsOf(delivery, outcome)) }
      for (const field of childrenOf(delivery.payload)) mutateWithin(delivery, field, usual)
    }
  })
}

interface Usual {
  outcome: string
  faults: ReadonlySet<string>
}

function mutateWithin(delivery: Known, field: JsonField, usual: Usual): void {
  const outcomes = sampleInGate(values, inGate).map((value) => mutate(delivery, field, value, usual))
  // Values inside an unread value are unread too.
  if (outcomes.every((outcome) => outcome === usual.outcome)) return
  for (const inner of childrenOf(field.holder[field.key], field)) mutateWithin(delivery, inner, usual)
}

/** Returns the outcome of the delivery. */
function mutate(delivery: Known, field: JsonField, value: unknown, usual: Usual): string {
  const received = `${delivery.name}.json with ${field.path} ${value === removed ? 'removed' : `= ${JSON.stringify(value)}`}`
  return withValue(field, value, () => {
    let outcome: Outcome
    try {
      outcome = delivery.translate()
    } catch (error) {
      throw new Error(`${received} throws`, { cause: error })
    }
    const became = JSON.stringify(outcome)
    const faults = faultsOf(delivery, outcome).filter((fault) => !usual.faults.has(fault))
    assert.deepEqual(faults, [], `${received}: ${became}`)
    return became
  })
}

function faultsOf({ payload }: Known, outcome: Outcome): string[] {
  switch (outcome.kind) {
    case 'ignored':
      return []
    case 'unsupported':
      return outcome.event.trim() === '' ? ['an event without a name'] : []
    case 'refused':
      return 'lacks' in outcome.reason && outcome.reason.lacks === '' ? ['a lack of nothing'] : []
    case 'messages':
      return outcome.messages.flatMap((message) => faultsOfMessage(message, payload))
  }
}

/** Most mutations are of what nobody reads, and make the same message again. */
const faultless = new Set<string>()

function faultsOfMessage(message: OutgoingMessage, payload: unknown): string[] {
  const messageText = `${message.topic}\n${message.content}`
  if (faultless.has(messageText)) return []
  if (findHalfMade(message).length > 0) return findHalfMade(message, textsIn(payload))
  faultless.add(messageText)
  return []
}

const halfMade: readonly [string, string][] = [
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
  ['closed by .', 'wants another'],
  ['closed by', 'wants another'],
  ['moved from **a** to .', 'wants another'],
  ['closed .', 'space before'],
  ['iris  pushed', 'two spaces'],
  ['all:\n* **State**: ', 'key without value'],
  ['all:\n* \n* b', 'empty bullet'],
  ['said:\n``` quote\n\n```', 'empty block'],
  ['commented:', 'colon'],
  [' pushed to main', 'starts in the middle'],
  ['', 'nothing'],
]

for (const [content, kind] of halfMade)
  test(`an incomplete message is detected: ${JSON.stringify(content)}`, () => {
    const found = findHalfMade({ topic: 'garden', content })
    assert.ok(
      found.some((fault) => fault.includes(kind)),
      found.join('\n'),
    )
  })

test('an incomplete topic is detected', () => {
  for (const topic of ['garden /', '/ main', 'Incident #', 'Issue:', ''])
    assert.notDeepEqual(findHalfMade({ topic, content: 'Hello.' }), [], topic)
})

test('spaces in code are accepted, missing values in code are not', () => {
  const message = (code: string) => ({ topic: 'garden', content: `Failed:\n\n\`\`\`js\n${code}\n\`\`\`` })
  assert.deepEqual(findHalfMade(message('  if (x)  foo() ;\n\n  return `` // by')), [])
  assert.equal(findHalfMade(message('undefined')).length, 1)
})

test('texts of the payload and complete messages are accepted', () => {
  const content = 'iris [closed](https://x.example) it:\n\n``` quote\nx is undefined\n```'
  assert.deepEqual(findHalfMade({ topic: 'garden / main', content }, ['x is undefined']), [])
  assert.equal(findHalfMade({ topic: 'garden / main', content }, ['x']).length, 1)
})
