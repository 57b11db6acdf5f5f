import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { BotType } from '@oxbow/contract'
import { eventually, repeatIfSlowed, startWorld } from '@oxbow/testkit'
import { readMessages, sendPrivately } from '@oxbow/testkit/calls/messages'
import { call, refusal } from '@oxbow/testkit/calls/requests'
import { listScheduled } from '@oxbow/testkit/calls/scheduled-messages'
import { deliverNow } from './test/deliver-now.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const [iris, otto] = await world.people('iris', 'otto')
const garden = await world.stream('garden', { members: [world.owner, iris, otto] })

const send = (params: Record<string, string>, person = iris) =>
  call(world, person, 'POST /messages', {
    type: 'stream',
    to: 'garden',
    topic: 'roses',
    content: 'Pruned.',
    delivery_type: 'send_later',
    deliver_at: '2099-03-20 10:00',
    ...params,
  })
const responseWith = (deliver_at: string) => ({
  status: 200,
  body: { result: 'success', msg: '', deliver_at },
})

test('send_later responds with the time in its time zone and without an id', async () => {
  const fern = await world.person('fern')
  assert.deepEqual(await send({}, fern), responseWith('2099-03-20 10:00:00+00:00'))
  assert.deepEqual(await send({ tz_guess: 'Asia/Kolkata' }, fern), responseWith('2099-03-20 10:00:00+05:30'))
  await fern.settings.updateDisplay({ timezone: 'America/New_York' })
  assert.deepEqual(await send({}, fern), responseWith('2099-03-20 10:00:00-04:00'))
  // `tz_guess` takes precedence over the profile, unless it is not a time zone.
  assert.deepEqual(await send({ tz_guess: 'UTC' }, fern), responseWith('2099-03-20 10:00:00+00:00'))
  assert.deepEqual(await send({ tz_guess: 'Mars/Olympus' }, fern), responseWith('2099-03-20 10:00:00-04:00'))

  const times = (await listScheduled(fern)).map((scheduled) => scheduled.scheduled_delivery_timestamp)
  const expected = ['04:30', '10:00', '10:00', '14:00', '14:00']
  assert.deepEqual(
    times,
    expected.map((time) => Date.parse(`2099-03-20T${time}:00Z`) / 1_000),
  )
  assert.deepEqual(await readMessages(fern, { stream: 'garden' }), [])
})

test('an unknown delivery_type sends the message at once and ignores the time', async () => {
  const { status, body } = await send({ delivery_type: 'send_soon', deliver_at: 'never' })
  assert.deepEqual([status, typeof body.id, body.deliver_at], [200, 'number', undefined])
})

test('missing, invalid or past times are refused before the message is checked', async () => {
  const { status, body } = await call(world, iris, 'POST /messages', {
    type: 'stream',
    to: 'nowhere',
    content: '',
    delivery_type: 'remind',
  })
  assert.deepEqual({ status, body }, refusal('Missing deliver_at in a request for delayed message delivery'))
  const bad = { topic: '', content: '' }
  assert.deepEqual(await send({ ...bad, deliver_at: 'soon' }), refusal('Invalid time format'))
  assert.deepEqual(await send({ ...bad, deliver_at: '2020-01-01' }), refusal('Time must be in the future.'))
  assert.deepEqual(await send(bad), refusal("Topic can't be empty"))
  assert.deepEqual(await send({ type: 'private', to: '[999999]' }), refusal('Invalid user ID 999999'))
})

test('a scheduled poll and a scheduled form are interactive after delivery', async () => {
  const ash = await world.person('ash')
  const form = { widget_type: 'zform', extra_data: { type: 'choices', heading: 'Pick', choices: [] } }
  await send({ content: '/poll Roses?\nyes\nno', topic: 'widgets' }, ash)
  await send({ content: 'Pick', topic: 'widgets', widget_content: JSON.stringify(form) }, ash)
  assert.equal((await send({ widget_content: 'nonsense' }, ash)).status, 400)
  const listed = await listScheduled(ash)
  await deliverNow(
    world,
    listed.map(({ scheduled_message_id }) => scheduled_message_id),
  )

  const messages = await readMessages(otto, { stream: 'garden', topic: 'widgets' })
  assert.deepEqual(
    messages.map(({ submessages }) => JSON.parse(submessages[0]?.content ?? '{}').widget_type),
    ['poll', 'zform'],
  )
})

test('an incoming-webhook bot can send later', async () => {
  const hook = await world.bot('hook', iris, BotType.incomingWebhook)
  assert.equal((await send({ to: String(garden.stream_id) }, hook)).status, 200)
})

test('a reminder set in a stream is sent only to its author, by the notification bot', async () => {
  const moss = await world.person('moss')
  assert.equal(
    (await send({ delivery_type: 'remind', content: 'Ask @**all** about *frost*' }, moss)).status,
    200,
  )
  const [listed] = await listScheduled(moss)
  assert.deepEqual(
    [listed?.delivery_type, listed?.type, listed?.to, listed?.content],
    ['remind', 'private', [moss.user_id], 'Reminder from #**garden>roses**:\n\nAsk @**all** about *frost*'],
  )
  const othersBefore = (await readMessages(otto)).length

  await deliverNow(world, [listed?.scheduled_message_id as never])

  const [message] = await readMessages(moss, { is: 'private' })
  assert.ok(message?.type === 'private')
  assert.deepEqual(
    [message.sender_full_name, message.content, message.flags],
    ['Notification Bot', listed?.content, []],
  )
  assert.equal(message.display_recipient.length, 2)
  assert.equal((await readMessages(otto)).length, othersBefore)
  assert.deepEqual(await listScheduled(moss), [])
})

test('a reminder addressed to its author is delivered unchanged, and one addressed to other users is refused', async () => {
  const reed = await world.person('reed')
  const remind = (to: number[]) =>
    send({ type: 'private', to: JSON.stringify(to), delivery_type: 'remind' }, reed)
  assert.deepEqual(await remind([otto.user_id]), refusal('Reminders can only be set for streams.'))
  assert.deepEqual(
    await remind([reed.user_id, otto.user_id]),
    refusal('Reminders can only be set for streams.'),
  )
  assert.equal((await remind([reed.user_id])).status, 200)
  const [listed] = await listScheduled(reed)
  assert.equal(listed?.content, 'Pruned.')
})

test('the text and time of a reminder can be changed, but not its recipient', async () => {
  const wren = await world.person('wren')
  await send({ delivery_type: 'remind' }, wren)
  const [listed] = await listScheduled(wren)
  const path = `PATCH /scheduled_messages/${listed?.scheduled_message_id}`
  assert.equal((await call(world, wren, path, { content: '**Now**' })).status, 200)
  assert.equal((await call(world, wren, path, { scheduled_delivery_timestamp: '4102444800' })).status, 200)
  for (const params of [
    { topic: 'x' },
    { to: `${garden.stream_id}` },
    { type: 'stream', to: '1', topic: 'x' },
  ])
    assert.deepEqual(
      await call(world, wren, path, params as never),
      refusal('A reminder goes to its author; only its content and time can be changed.'),
    )
  const [changed] = await listScheduled(wren)
  assert.deepEqual(
    [changed?.rendered_content, changed?.scheduled_delivery_timestamp, changed?.to],
    ['<p><strong>Now</strong></p>', 4_102_444_800, [wren.user_id]],
  )
})

test('a message scheduled for the next second is sent on time without any further request', () =>
  // The message must be scheduled before it is due.
  repeatIfSlowed(world.database, 500, async (attempt) => {
    const kay = await world.person(`kay${attempt}`)
    const at = new Date(Date.now() + 1_500)
    assert.equal(
      (await send({ type: 'private', to: `[${otto.user_id}]`, deliver_at: at.toISOString() }, kay)).status,
      200,
    )
    await eventually(async () => (await listScheduled(kay)).length === 0)
    await sendPrivately(kay, [otto], 'Done.')

    const messages = await readMessages(kay, { is: 'private' })
    assert.deepEqual(
      messages.map(({ content }) => content),
      ['Pruned.', 'Done.'],
    )
    const [row] = await world.database.query<{ late: number }>(
      "select extract(epoch from sent_at - $1::timestamptz)::float8 as late from message where sender_id = $2 and content = 'Pruned.'",
      [at.toISOString(), kay.user_id],
    )
    assert.ok(row && row.late >= 0 && row.late < 5, `${row?.late} s late`)
  }))
