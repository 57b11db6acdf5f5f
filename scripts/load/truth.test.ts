import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Reader, Truth } from './truth.ts'

const [iris, otto] = [0, 1]
const both = new Set([iris, otto])
/** Long before the queue closes. */
const never = Number.POSITIVE_INFINITY

function connect(truth: Truth, person: number, openedAt = 0, closedAt = never): Reader {
  const reader = truth.addReader(person)
  reader.periods.push({ openedAt, closedAt })
  return reader
}

/** Sends a message that the server acknowledges a millisecond later. */
function send(truth: Truth, at: number, audience = both): number {
  const number = truth.begin(at, at, audience)
  truth.acknowledge(number, at + 1)
  return number
}

test('a run in which each reader receives each message once has no faults', () => {
  const truth = new Truth()
  const readers = [connect(truth, iris), connect(truth, otto)]
  for (const at of [10, 20]) {
    const number = send(truth, at)
    for (const reader of readers) assert.equal(truth.arrive(reader, number, at + 5), 5)
  }
  const faults = { lost: 0, twice: 0, outOfOrder: 0, unexpected: 0 }
  assert.deepEqual(truth.judge(), { sends: 2, deliveries: 4, ...faults })
})

test('a message that one of two clients of a person lacks is lost', () => {
  const truth = new Truth()
  const [first] = [connect(truth, iris), connect(truth, iris)]
  truth.arrive(first as Reader, send(truth, 10, new Set([iris])), 11)
  assert.equal(truth.judge().lost, 1)
})

test('a message counts as lost only for queues that were open before it and remained open', () => {
  const truth = new Truth()
  connect(truth, iris, 50)
  connect(truth, otto, 0, 5_000)
  send(truth, 10)
  assert.equal(truth.judge().lost, 0)
})

test('a message that the server did not acknowledge may arrive or not', () => {
  const truth = new Truth()
  const [first] = [connect(truth, iris), connect(truth, otto)]
  truth.arrive(first as Reader, truth.begin(10, 10, both), 12)
  assert.deepEqual(
    { ...truth.judge(), deliveries: 0 },
    {
      sends: 0,
      deliveries: 0,
      lost: 0,
      twice: 0,
      outOfOrder: 0,
      unexpected: 0,
    },
  )
})

test('messages that come twice, to other people, or although they were refused are counted', () => {
  const truth = new Truth()
  const [reader, other] = [connect(truth, iris), connect(truth, otto)]
  const number = send(truth, 10, new Set([iris]))
  for (const receiver of [reader, reader, other]) truth.arrive(receiver, number, 20)
  const refused = truth.begin(30, 30, new Set([iris]))
  truth.refuse(refused)
  truth.arrive(reader, refused, 40)
  const { twice, unexpected } = truth.judge()
  assert.deepEqual({ twice, unexpected }, { twice: 1, unexpected: 2 })
})

test('the order counts only between messages of which one was acknowledged before the other was sent', () => {
  const arriveReversed = (secondAt: number) => {
    const truth = new Truth()
    const reader = connect(truth, iris)
    const numbers = [send(truth, 10), send(truth, secondAt)]
    for (const number of numbers.toReversed()) truth.arrive(reader, number, 100)
    return truth.judge().outOfOrder
  }
  assert.equal(arriveReversed(10), 0)
  assert.equal(arriveReversed(50), 1)
})
