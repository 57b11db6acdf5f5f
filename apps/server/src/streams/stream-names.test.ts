import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { ApiError } from '@oxbow/contract'
import { startWorld } from '@oxbow/testkit'
import { call } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const { stream_id } = await world.stream('compost')

const roses = (count: number) => '🌹'.repeat(count)
const tooLong = 'Stream name too long (limit: 60 characters).'
const withNul = (name: string) => `Stream name '${name}' contains NULL (0x00) characters.`

/**
 * Invalid names with their errors, in the order of checks: blank, too long, with a NUL character.
 */
const faults: [name: string, msg: string | RegExp][] = [
  ['', "Invalid stream name ''"],
  [' \t\u2003\n', /^Invalid stream name '\s*'$/],
  ['x'.repeat(61), tooLong],
  [roses(61), tooLong],
  [`\0${roses(60)}`, tooLong],
  ['\0', withNul('\0')],
  ['a\0b', withNul('a\0b')],
  [`\0${roses(59)}`, withNul(`\0${roses(59)}`)],
]

/** All requests with a stream name that is validated. */
const namings: Record<string, (name: string) => Promise<unknown>> = {
  subscribe: (name) => owner.subscriptions.subscribe({ subscriptions: [{ name: 'fine' }, { name }] }),
  'subscribe by change': (name) => owner.subscriptions.change({ add: [{ name: 'fine' }, { name }] }),
  unsubscribe: (name) => owner.subscriptions.unsubscribe({ subscriptions: ['compost', name] }),
  'unsubscribe by change': (name) => owner.subscriptions.change({ delete: ['compost', name] }),
  rename: (new_name) => owner.streams.update({ stream_id, description: 'never kept', new_name }),
}

for (const [naming, use] of Object.entries(namings)) {
  test(`a request to ${naming} refuses invalid stream names and changes nothing`, async () => {
    const before = await owner.streams.list({ include_all_active: true })
    const ownerSubscriptions = await owner.subscriptions.list()

    for (const [name, msg] of faults)
      await assert.rejects(use(name), ({ status, body }: ApiError) => {
        const { msg: message, ...rest } = body
        assert.deepEqual([status, rest], [400, { result: 'error', code: 'BAD_REQUEST' }])
        if (typeof msg === 'string') assert.equal(message, msg)
        else assert.match(message, msg)
        return true
      })

    assert.deepEqual(await owner.streams.list({ include_all_active: true }), before)
    assert.deepEqual(await owner.subscriptions.list(), ownerSubscriptions)
  })
}

test('unusual but valid stream names are accepted, and only surrounding spaces are removed', async () => {
  const sentNames = [
    roses(60),
    `  ${'x'.repeat(60)}\n`,
    'a',
    ' #tags > /paths  &  <b>"quotes"</b> %s {x} \\ ',
    'वार्षिक बैठक',
    '\u00a0no-break\u00a0',
    'two\nlines',
  ]

  const { subscribed } = await owner.subscriptions.subscribe({
    subscriptions: sentNames.map((name) => ({ name })),
  })

  const storedNames = sentNames.map((name) => name.trim())
  assert.deepEqual(subscribed, { [owner.email]: storedNames })
  const { streams } = await owner.on('b').streams.list()
  const names = streams.map(({ name }) => name)
  for (const name of storedNames) assert.ok(names.includes(name), name)
})

test('names that differ only in case or surrounding spaces refer to one stream, which keeps the first spelling', async () => {
  const iris = await world.person('iris')
  const first = await iris.subscriptions.subscribe({
    subscriptions: [{ name: ' Äpfel und Birnen ' }, { name: 'äPFEL und birnen' }],
  })
  const again = await owner.subscriptions.subscribe({ subscriptions: [{ name: 'ÄPFEL UND BIRNEN' }] })
  const response = await iris.subscriptions.unsubscribe({
    subscriptions: ['äpfel und birnen ', 'ÄPFEL und Birnen'],
  })

  assert.deepEqual(first.subscribed, { [iris.email]: ['Äpfel und Birnen'] })
  assert.deepEqual(again.subscribed, { [owner.email]: ['Äpfel und Birnen'] })
  assert.deepEqual(response, { removed: ['Äpfel und Birnen'], not_removed: [] })
  const { streams } = await owner.streams.list()
  assert.equal(streams.filter(({ name }) => name.toLowerCase() === 'äpfel und birnen').length, 1)
  // Inner spaces are part of a name.
  const other = await iris.subscriptions.subscribe({ subscriptions: [{ name: 'Äpfel  und Birnen' }] })
  assert.deepEqual(other.subscribed, { [iris.email]: ['Äpfel  und Birnen'] })
})

test('a stream name with an unpaired surrogate gets the same status each time, never a 5xx', async () => {
  const subscribe = (...names: string[]) =>
    call(world, owner, 'POST /users/me/subscriptions', {
      // The names are JSON escapes, because a form cannot contain unpaired surrogates.
      subscriptions: `[${names.map((name) => `{"name":"${name}"}`).join()}]`,
    })

  const first = await subscribe('half \\ud800')
  const again = await subscribe('half \\ud800')
  const two = await subscribe('one \\ud83c', 'one \\ud83d')

  assert.ok(first.status < 500)
  assert.equal(again.status, first.status, JSON.stringify(again.body))
  assert.equal(two.status, first.status, JSON.stringify(two.body))
})
