import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ApiError } from '@oxbow/contract'
import { type Person, startWorld } from '@oxbow/testkit'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
await world.stream('garden')
const target = await world.person('target')
const people = {
  owner,
  administrator: await world.person('ada', 'administrator'),
  member: await world.person('mia'),
  'new member': await world.person('nell'),
  guest: await world.person('gus', 'guest'),
  bot: await world.bot('robin', owner),
  'new bot': await world.bot('nestling', owner),
}

/**
 * Sets the age of an account. Policies count complete days: an account that is two and a half days
 * old counts as two days old.
 */
const joined = (person: Person, days: number) =>
  world.database.query(
    `update user_account set date_joined = now() - $2::float8 * interval '1 day' where id = $1`,
    [person.user_id, days],
  )
await world.database.query('update organization set waiting_period_threshold = 3')
for (const person of Object.values(people)) await joined(person, 3.01)
await joined(people['new member'], 2.9)
await joined(people['new bot'], 0)
// The policies ignore the age of owners and administrators.
await joined(owner, 0)
await joined(people.administrator, 0)

const texts = {
  create: 'User cannot create streams.',
  admins: "Only administrators can modify other users' subscriptions.",
  new: "Your account is too new to modify other users' subscriptions.",
  guest: 'Not allowed for guest users',
}

// One column per policy: `+` means allowed, and a letter is a kind of refusal.
const making: Record<keyof typeof people, string> = {
  owner: /*           */ '      +    +    +',
  administrator: /*   */ '      +    +    +',
  member: /*          */ '      +    c    +',
  'new member': /*    */ '      +    c    c',
  guest: /*           */ '      g    g    g',
  bot: /*             */ '      +    c    +',
  'new bot': /*       */ '      +    c    c',
}
const addingOthers: Record<keyof typeof people, string> = {
  owner: /*           */ '      +    +    +',
  administrator: /*   */ '      +    +    +',
  member: /*          */ '      +    a    +',
  'new member': /*    */ '      +    a    n',
  guest: /*           */ '      g    g    g',
  bot: /*             */ '      +    a    +',
  'new bot': /*       */ '      +    a    n',
}
const letters: Record<string, string> = {
  c: texts.create,
  a: texts.admins,
  n: texts.new,
  g: texts.guest,
}

async function outcome(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return '+'
  } catch (error) {
    assert.ok(error instanceof ApiError)
    assert.deepEqual([error.status, error.body.code], [400, 'BAD_REQUEST'])
    return error.body.msg
  }
}

let count = 0
for (const [index, policy] of [1, 2, 3].entries()) {
  for (const [who, person] of Object.entries(people)) {
    const expected = (table: Record<string, string>) => {
      const letter = table[who]?.trim().split(/\s+/)[index] ?? ''
      return letters[letter] ?? letter
    }

    test(`creating streams as ${who} is allowed or refused as create_stream_policy ${policy} requires`, async () => {
      await world.database.query('update organization set create_stream_policy = $1', [policy])
      const name = `new ${count++}`

      const got = await outcome(person.subscriptions.subscribe({ subscriptions: [{ name }] }))

      assert.equal(got, expected(making))
      // Joining an existing stream does not count as creating it.
      const joining = person.subscriptions.subscribe({ subscriptions: [{ name: 'garden' }] })
      assert.equal(await outcome(joining), who === 'guest' ? texts.guest : '+')
    })

    test(`subscribing others as ${who} is allowed or refused as invite_to_stream_policy ${policy} requires`, async () => {
      await world.database.query(
        'update organization set invite_to_stream_policy = $1, create_stream_policy = 1',
        [policy],
      )
      const add = (...principals: Person[]) =>
        outcome(
          person.subscriptions.subscribe({
            subscriptions: [{ name: 'garden' }],
            principals: principals.map(({ user_id }) => user_id),
          }),
        )

      assert.equal(await add(target), expected(addingOthers))
      // A request that names the caller as a principal counts as subscribing others.
      assert.equal(await add(person), expected(addingOthers))
    })
  }
}

test('without a waiting period no account counts as new', async () => {
  await world.database.query(
    'update organization set waiting_period_threshold = 0, create_stream_policy = 3, invite_to_stream_policy = 3',
  )
  const nora = await world.person('nora')
  const subscriptions = [{ name: 'for nora' }]
  const principals = [target.user_id]

  assert.equal(await outcome(nora.subscriptions.subscribe({ subscriptions, principals })), '+')
})
