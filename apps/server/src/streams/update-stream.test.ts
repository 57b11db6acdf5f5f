import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { StreamId } from '@oxbow/contract'
import { type Person, startWorld } from '@oxbow/testkit'
import { call, refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris] = await world.people('iris')
const ada = await world.person('ada', 'administrator')

async function find(id: StreamId) {
  const { streams } = await owner.on('b').streams.list({ include_all_active: true })
  return streams.find(({ stream_id }) => stream_id === id)
}

test('one request changes name, description, post policy and retention', async () => {
  const { stream_id } = await world.stream('beds')

  await owner.streams.update({
    stream_id,
    new_name: '  Raised Beds ',
    description: 'Two\nlines,\n\n**bold**',
    stream_post_policy: 2,
    message_retention_days: 30,
  })

  assert.deepEqual(await find(stream_id), {
    stream_id,
    name: 'Raised Beds',
    description: 'Two lines,  **bold**',
    rendered_description: '<p>Two lines,  <strong>bold</strong></p>',
    invite_only: false,
    is_web_public: false,
    stream_post_policy: 2,
    history_public_to_subscribers: true,
    first_message_id: null,
    message_retention_days: 30,
    is_announcement_only: true,
    folder_id: null,
  })
})

test('an administrator who is not subscribed to a private stream may change everything except its privacy', async () => {
  const { stream_id } = await world.stream('burrow', { members: [iris], invite_only: true })

  await ada.streams.update({ stream_id, new_name: 'den', description: 'Quiet', stream_post_policy: 3 })

  const den = await find(stream_id)
  assert.deepEqual([den?.name, den?.description, den?.stream_post_policy], ['den', 'Quiet', 3])
  for (const is_private of [true, false])
    await assert.rejects(
      ada.streams.update({ stream_id, description: 'Loud', is_private }),
      refusal('Invalid stream id'),
    )
  assert.deepEqual(await find(stream_id), den)
})

test('names and descriptions are accepted as text or as a JSON string', async () => {
  const { stream_id } = await world.stream('paths')
  const path = `PATCH /streams/${stream_id}`

  await call(world, owner, path, { new_name: '"Quoted Paths"', description: '"With \\"quotes\\""' })
  const quoted = await find(stream_id)
  await call(world, owner, path, { new_name: 'Raw Paths', description: 'No quotes' })
  const raw = await find(stream_id)

  assert.deepEqual([quoted?.name, quoted?.description], ['Quoted Paths', 'With "quotes"'])
  assert.deepEqual([raw?.name, raw?.description], ['Raw Paths', 'No quotes'])
})

test('a stream can be renamed to another case of its name, and its current name or a taken name is refused', async () => {
  const { stream_id } = await world.stream('Herbs')
  await world.stream('Spices')
  await world.stream('hidden spices', { members: [iris], invite_only: true })
  const old = await world.stream('old spices')
  await owner.streams.archive({ stream_id: old.stream_id })
  const rename = (new_name: string) => owner.streams.update({ stream_id, new_name })

  for (const name of ['Herbs', '  Herbs\n'])
    await assert.rejects(rename(name), refusal('Stream already has that name!'))
  for (const name of ['Spices', 'sPICES', 'hidden spices', '!deactivated:OLD spices'])
    await assert.rejects(rename(` ${name} `), refusal(`Stream name '${name}' is already taken.`))
  assert.equal((await find(stream_id))?.name, 'Herbs')

  await rename('HERBS')
  assert.equal((await find(stream_id))?.name, 'HERBS')
  await rename('old spices')
  assert.equal((await find(stream_id))?.name, 'old spices')
})

test('is_announcement_only takes precedence over stream_post_policy', async () => {
  const { stream_id } = await world.stream('notices')
  const cases: [
    params: { is_announcement_only?: boolean; stream_post_policy?: 1 | 2 | 3 },
    policy: number,
  ][] = [
    [{ stream_post_policy: 3 }, 3],
    [{ is_announcement_only: true }, 2],
    [{ is_announcement_only: false }, 1],
    [{ is_announcement_only: true, stream_post_policy: 3 }, 2],
    [{ is_announcement_only: false, stream_post_policy: 3 }, 1],
  ]
  for (const [params, policy] of cases) {
    await ada.streams.update({ stream_id, ...params })
    const stream = await find(stream_id)
    assert.deepEqual([stream?.stream_post_policy, stream?.is_announcement_only], [policy, policy === 2])
  }
})

test('message_retention_days is a number of days, forever or realm_default, and only owners can set it', async () => {
  const { stream_id } = await world.stream('archives')
  const path = `PATCH /streams/${stream_id}`
  const set = (value: string, by: Person = owner) =>
    call(world, by, path, { message_retention_days: value, description: `set to ${value}` })

  for (const [input, stored] of [
    ['7', 7],
    ['"forever"', -1],
    ['2147483647', 2_147_483_647],
    ['"realm_default"', null],
  ] as const) {
    assert.equal((await set(input)).status, 200)
    assert.equal((await find(stream_id))?.message_retention_days, stored)
  }

  const before = await find(stream_id)
  for (const [input, bad_value] of [
    ['0', '0'],
    ['-1', '-1'],
    ['2147483648', '2147483648'],
    ['"never"', 'never'],
    ['""', ''],
    ['"7"', '7'],
  ] as const)
    assert.deepEqual(
      await set(input),
      refusal(`Bad value for 'message_retention_days': ${bad_value}`, {
        code: 'REQUEST_VARIABLE_INVALID',
        var_name: 'message_retention_days',
        bad_value,
      }),
    )
  for (const policy of ['true', '[7]', '1.5', 'null'])
    assert.deepEqual(await set(policy), refusal('message_retention_days is not a string or integer'))
  assert.deepEqual(await set('forever'), refusal('Argument "message_retention_days" is not valid JSON.'))
  assert.deepEqual(
    await set('7', ada),
    refusal('Must be an organization owner', { code: 'UNAUTHORIZED_PRINCIPAL' }),
  )
  await world.database.query('update organization set plan_type = 2')
  assert.deepEqual(await set('7'), refusal('The plan of this organization does not include this.'))
  await world.database.query('update organization set plan_type = 1')
  assert.deepEqual(await find(stream_id), before)
})

test('an invalid value refuses the whole update', async () => {
  const { stream_id } = await world.stream('fences', { description: 'High' })
  const before = await find(stream_id)
  const long = '🌹'.repeat(1_025)
  const cases: [params: Record<string, string>, msg: string][] = [
    [{ description: long }, 'description is too long (limit: 1024 characters)'],
    [{ stream_post_policy: '0' }, 'Invalid stream_post_policy'],
    [{ stream_post_policy: '4' }, 'Invalid stream_post_policy'],
    [{ stream_post_policy: '"1"' }, 'stream_post_policy is not an integer'],
    [{ is_announcement_only: '1' }, 'is_announcement_only is not a boolean'],
    [{ is_private: '"yes"' }, 'is_private is not a boolean'],
    [{ is_private: 'yes' }, 'Argument "is_private" is not valid JSON.'],
    [
      { is_private: 'true', history_public_to_subscribers: '2' },
      'history_public_to_subscribers is not a boolean',
    ],
    [{ description: 'a\0b' }, 'Argument "description" contains a NUL character.'],
    // The name is refused after the description has been changed.
    [{ description: 'Low', new_name: 'fences' }, 'Stream already has that name!'],
  ]
  for (const [params, msg] of cases)
    assert.deepEqual(
      await call(world, owner, `PATCH /streams/${stream_id}`, { message_retention_days: '9', ...params }),
      refusal(msg),
    )
  assert.deepEqual(await find(stream_id), before)

  await owner.streams.update({ stream_id, description: '🌹'.repeat(1_024) })
  await owner.streams.update({ stream_id })
  assert.equal((await find(stream_id))?.description.length, 2_048)
  await owner.streams.update({ stream_id, description: '' })
  assert.equal((await find(stream_id))?.rendered_description, '')
})

test('unknown and archived streams are refused with the same error', async () => {
  const gone = await world.stream('gone')
  await owner.streams.archive({ stream_id: gone.stream_id })
  const changes: Record<string, string>[] = [{}, { description: 'x' }, { is_private: 'true' }]
  for (const id of [gone.stream_id, 0, 999_999, '99999999999999999999'])
    for (const change of changes)
      assert.deepEqual(await call(world, owner, `PATCH /streams/${id}`, change), refusal('Invalid stream id'))
})

test('non-administrators are refused before any other check', async () => {
  const { stream_id } = await world.stream('gates')
  const denied = refusal('Must be an organization administrator', { code: 'UNAUTHORIZED_PRINCIPAL' })
  for (const path of [`/streams/${stream_id}`, '/streams/0'])
    for (const method of ['PATCH', 'DELETE'])
      assert.deepEqual(await call(world, iris, `${method} ${path}`, { stream_post_policy: '9' }), denied)
})
