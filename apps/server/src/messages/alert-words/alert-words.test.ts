import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openQueue, type Person, startWorld } from '@oxbow/testkit'
import { call, refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const iris = await world.person('iris')

const success = (alert_words: string[]) => ({
  status: 200,
  body: { result: 'success', msg: '', alert_words },
})
const listed = async (person: Person) => (await person.on('b').alertWords.list()).alert_words

test('alert words keep their spelling and order, without duplicates', async () => {
  const inbox = await openQueue(iris)

  const added = await iris.alertWords.add({ alert_words: ['  Roses ', 'late frost', '', ' ', 'rOSES'] })

  // If one request has several spellings of a new word, the last one is stored. A word that is
  // already stored keeps its spelling.
  assert.deepEqual(added, { alert_words: ['rOSES', 'late frost'] })
  assert.deepEqual(await iris.on('b').alertWords.add({ alert_words: ['ROSES', 'Äpfel'] }), {
    alert_words: ['rOSES', 'late frost', 'Äpfel'],
  })
  assert.deepEqual(await listed(iris), ['rOSES', 'late frost', 'Äpfel'])
  const events = await inbox.take(2)
  assert.deepEqual(
    events.map((event) => event.type === 'alert_words' && event.alert_words),
    [
      ['rOSES', 'late frost'],
      ['rOSES', 'late frost', 'Äpfel'],
    ],
  )
})

test('removing words ignores case and unknown words', async () => {
  const inbox = await openQueue(iris)

  const removed = await iris.alertWords.remove({ alert_words: ['roses', 'äPFEL', 'tulips'] })
  await iris.alertWords.remove({ alert_words: ['tulips'] })
  await iris.alertWords.add({ alert_words: ['LATE frost'] })
  await iris.alertWords.add({ alert_words: [] })

  assert.deepEqual(removed, { alert_words: ['late frost'] })
  await world.settled()
  assert.equal((await inbox.rest()).length, 1)
})

test('invalid alert words are refused', async () => {
  const path = 'POST /users/me/alert_words'
  const cases: [input: string, msg: string][] = [
    ['roses', 'Argument "alert_words" is not valid JSON.'],
    ['"roses"', 'alert_words is not a list'],
    ['["roses", 5]', 'alert_words[1] is not a string'],
    [JSON.stringify(['roses', 'x'.repeat(101)]), 'alert_words[1] is too long (limit: 100 characters)'],
    [
      JSON.stringify(Array.from({ length: 501 }, (_, index) => `word ${index}`)),
      'Too many alert words (limit: 500)',
    ],
  ]
  for (const [alert_words, msg] of cases)
    assert.deepEqual(await call(world, iris, path, { alert_words }), refusal(msg))
  assert.deepEqual(
    await call(world, iris, 'DELETE /users/me/alert_words'),
    refusal("Missing 'alert_words' argument", { code: 'REQUEST_VARIABLE_MISSING', var_name: 'alert_words' }),
  )
  assert.deepEqual(await call(world, iris, 'GET /users/me/alert_words'), success(['late frost']))
  assert.deepEqual(
    await call(world, iris, path, { alert_words: JSON.stringify(['🌹'.repeat(100)]) }),
    success(['late frost', '🌹'.repeat(100)]),
  )
})

test('every account, including bots, has its own alert words', async () => {
  const robin = await world.bot('robin', iris)
  await robin.alertWords.add({ alert_words: ['worms'] })
  assert.deepEqual(await listed(robin), ['worms'])
  assert.ok(!(await listed(iris)).includes('worms'))
})

test('concurrently added alert words are all stored, and the last event has the stored list', async () => {
  const fern = await world.person('fern')
  const inbox = await openQueue(fern)
  const words = Array.from({ length: 12 }, (_, index) => `word${index}`)

  await Promise.all(
    words.map((word, index) => fern.on(index % 2 ? 'a' : 'b').alertWords.add({ alert_words: [word] })),
  )

  const last = (await inbox.take(12)).at(-1)
  assert.deepEqual(last?.type === 'alert_words' && last.alert_words, await listed(fern))
  assert.deepEqual((await listed(fern)).toSorted(), words.toSorted())
})
