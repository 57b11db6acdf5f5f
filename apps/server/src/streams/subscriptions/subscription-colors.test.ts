import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { streamColors as palette } from '@oxbow/contract'
import { type Person, startWorld } from '@oxbow/testkit'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())

const colorsOf = async (person: Person): Promise<Record<string, string>> => {
  const { subscriptions } = await person.on('b').subscriptions.list()
  return Object.fromEntries(subscriptions.map(({ name, color }) => [name, color]))
}
const subscribe = (person: Person, ...subscriptions: { name: string; color?: string }[]) =>
  person.subscriptions.subscribe({ subscriptions })
const many = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => ({ name: `s${String(from + index).padStart(3, '0')}` }))

test("the palette has the protocol's colours in the protocol's order", () => {
  assert.equal(
    palette.join(' '),
    '#76ce90 #fae589 #a6c7e5 #e79ab5 #bfd56f #f4ae55 #b0a5fd #addfe5 ' +
      '#f5ce6e #c2726a #94c849 #bd86e5 #ee7e4a #a6dcbf #95a5fd #53a063 ' +
      '#9987e1 #e4523d #c2c2c2 #4f8de4 #c6a8ad #e7cc4d #c8bebf #a47462',
  )
})

test('a new subscription gets the first unused colour, and colours repeat when all are used', async () => {
  const iris = await world.person('iris')

  await subscribe(iris, ...many(0, 10))
  await subscribe(iris, ...many(10, 24))
  await subscribe(iris, ...many(24, 30))
  await subscribe(iris, ...many(30, 31))

  const colors = Object.values(await colorsOf(iris))
  assert.deepEqual(colors, [...palette, ...palette.slice(0, 7)])
})

test('unsubscribing makes a colour available, and the restored colour of a former subscription counts as used', async () => {
  const otto = await world.person('otto')
  await subscribe(otto, { name: 'a' }, { name: 'b' }, { name: 'c' })
  await otto.subscriptions.unsubscribe({ subscriptions: ['a', 'b'] })
  await subscribe(otto, { name: 'd' })
  // `a` gets its old colour back, which `d` has now too. `b` gets its old colour back before a
  // colour for `e` is chosen.
  await subscribe(otto, { name: 'e' }, { name: 'a' }, { name: 'b' })

  assert.deepEqual(await colorsOf(otto), {
    a: palette[0],
    b: palette[1],
    c: palette[2],
    d: palette[0],
    e: palette[3],
  })
})

test('a requested colour is used even if other streams have it', async () => {
  const fern = await world.person('fern')

  await subscribe(
    fern,
    { name: 'three', color: '#aBc' },
    { name: 'four', color: '#1234' },
    { name: 'five', color: '#12345' },
    { name: 'first', color: '#76ce90' },
    { name: 'same', color: '#76ce90' },
    { name: 'free' },
  )

  assert.deepEqual(await colorsOf(fern), {
    first: '#76ce90',
    five: '#12345',
    four: '#1234',
    free: '#fae589',
    same: '#76ce90',
    three: '#aBc',
  })
})

test("a requested colour is used only if the request spells the stream's name exactly", async () => {
  const moss = await world.person('moss')
  await world.stream('Exact')
  await world.stream('exact 2')

  await subscribe(
    moss,
    { name: 'exact', color: '#111111' },
    { name: ' exact 2', color: '#222222' },
    { name: 'New', color: '#333333' },
    { name: 'new', color: '#444444' },
  )

  assert.deepEqual(await colorsOf(moss), { Exact: palette[0], New: '#333333', 'exact 2': palette[1] })
})

test('a colour in another case does not count as the same palette colour', async () => {
  const sage = await world.person('sage')

  await subscribe(sage, { name: 'upper', color: '#76CE90' }, { name: 'lower' })

  assert.deepEqual(await colorsOf(sage), { lower: '#76ce90', upper: '#76CE90' })
})

test('each user who is subscribed by others gets an unused colour, and returning users keep theirs', async () => {
  const [ivy, rue] = await world.people('ivy', 'rue')
  await subscribe(rue, { name: 'of rue' })
  const principals = [ivy.user_id, rue.user_id]

  await ivy.subscriptions.subscribe({ subscriptions: [{ name: 'for two' }], principals })

  assert.equal((await colorsOf(ivy))['for two'], palette[0])
  assert.equal((await colorsOf(rue))['for two'], palette[1])
})

test('requesting a colour for an existing subscription does not change it', async () => {
  const elm = await world.person('elm')
  await subscribe(elm, { name: 'kept', color: '#aaaaaa' })

  const again = await subscribe(elm, { name: 'kept', color: '#bbbbbb' })

  assert.deepEqual(again.already_subscribed, { [elm.email]: ['kept'] })
  assert.deepEqual(await colorsOf(elm), { kept: '#aaaaaa' })
})
