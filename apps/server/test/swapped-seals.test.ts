import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { request, startWorld } from '@oxbow/testkit'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { database, owner, organization_id } = world
const mallory = await world.person('mallory')

/**
 * Exchanges columns of two rows of an organization, as an attacker with write access to the database
 * could.
 */
async function swap(table: string, id: string, columns: string[], rows: [number, number]): Promise<void> {
  const changes = columns.map((name) => `${name} = other.${name}`).join(', ')
  const unique = columns.filter((name) => name.endsWith('_hash'))
  const sealedRows = await database.query<Record<string, Buffer>>(
    `select ${columns.join(', ')} from ${table} where organization_id = $1 and ${id} = any($2) order by ${id}`,
    [organization_id, rows],
  )
  // Hashes are unique, so the first row gets a temporary hash first.
  for (const name of unique)
    await database.query(`update ${table} set ${name} = '' where organization_id = $1 and ${id} = $2`, [
      organization_id,
      Math.min(...rows),
    ])
  const ids = [...rows].sort((a, b) => b - a)
  for (const [index, values] of sealedRows.entries())
    await database.query(
      `update ${table} t set ${changes}
       from (select ${columns.map((name, at) => `$${at + 3}::bytea as ${name}`).join(', ')}) other
       where organization_id = $1 and ${id} = $2`,
      [organization_id, ids[index], ...columns.map((name) => values[name])],
    )
}

const signIn = (username: string, password: string) =>
  request(world.nodes.a.url, { method: 'POST', path: '/api/v1/fetch_api_key', form: { username, password } })

for (const columns of [['api_key_sealed'], ['api_key_hash', 'api_key_sealed']])
  test(`sign-in never returns the key of another account whose ${columns.join(' and ')} was copied into the row`, async () => {
    const ids: [number, number] = [mallory.user_id, owner.user_id]
    await swap('user_account', 'id', columns, ids)
    const { status, text } = await signIn(mallory.email, mallory.password)
    await swap('user_account', 'id', columns, ids)

    assert.ok(!text.includes(owner.api_key), text)
    assert.equal(status, 500)
    const { body } = await signIn(mallory.email, mallory.password)
    assert.equal(body.api_key, mallory.api_key)
  })

test('a bot never shows the token of another bot whose seal was copied into its row', async () => {
  const bots: { id: number; token: string }[] = []
  for (const person of [mallory, owner]) {
    const { user_id: id } = await person.bots.create({
      full_name: `Caller ${person.user_id}`,
      short_name: `caller${person.user_id}`,
      bot_type: 3,
      payload_url: 'https://example.com/',
    })
    const token = tokenIn(await stateOf(person), id)
    assert.equal(token.length, 32)
    bots.push({ id, token })
  }
  const [firstBot, secondBot] = bots as [(typeof bots)[0], (typeof bots)[0]]
  await swap('bot_service', 'user_id', ['token_sealed'], [firstBot.id, secondBot.id])
  const state = await stateOf(mallory)
  assert.ok(!state.includes(secondBot.token), state)
})

async function stateOf({ email, api_key }: { email: string; api_key: string }): Promise<string> {
  const { text } = await request(world.nodes.a.url, {
    method: 'POST',
    path: '/api/v1/register',
    form: { fetch_event_types: '["realm_bot"]' },
    credentials: { email, api_key },
  })
  return text
}

function tokenIn(state: string, id: number): string {
  const { realm_bots } = JSON.parse(state)
  const bot = realm_bots.find(({ user_id }: { user_id: number }) => user_id === id)
  return bot.services[0].token
}
