import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Event, MessageId } from '@oxbow/contract'
import { readWidget } from '@oxbow/sdk'
import { request, startWorld } from '@oxbow/testkit'
import { collectEvents } from '@oxbow/testkit/calls/events'
import { addSubmessages } from '@oxbow/testkit/calls/large-messages'
import { readMessage, readMessages, sendToStream } from '@oxbow/testkit/calls/messages'
import { call, refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto, nora] = await world.people('iris', 'otto', 'nora')
const robin = await world.bot('robin', iris)
const garden = await world.stream('garden', { members: [iris, otto] })

const send = (content: string) => sendToStream(iris, garden, 'beds', content)
const startOf = async (id: MessageId) => {
  const [start] = (await readMessage(otto, id)).submessages
  return start && { ...start, content: JSON.parse(start.content) }
}
const widgetOf = async (id: MessageId) => (await startOf(id))?.content
const question = { type: 'question', question: 'What?' }
const add = (message_id: MessageId, content: unknown, by = otto) =>
  by.messages.addSubmessage({ message_id, msg_type: 'widget', content: JSON.stringify(content) })

test('/poll, /todo and /tictactoe make a message interactive', async () => {
  const cases: [content: string, widget: object | undefined][] = [
    ['/poll', poll('')],
    ['/poll Which?\n- Roses\n\n * Tulips \n*Figs\n--Rue', poll('Which?', 'Roses', 'Tulips', 'Figs', '-Rue')],
    ['/poll \nWhich?\r\nRoses', poll('Which?', 'Roses')],
    ['/poll "Why" \\ {}', poll('"Why" \\ {}')],
    ['/todo Autumn', { widget_type: 'todo', extra_data: null }],
    ['/tictactoe', { widget_type: 'tictactoe', extra_data: null }],
    ['/poll\nWhich?', undefined],
    ['/polls Which?', undefined],
    ['/constructor x', undefined],
    [' /poll Which?', undefined],
    ['Which?', undefined],
  ]
  for (const [content, widget] of cases)
    assert.deepEqual(await widgetOf(await send(content)), widget, JSON.stringify(content))
})

const poll = (question: string, ...options: string[]) => ({
  widget_type: 'poll',
  extra_data: { question, options },
})

test('the message event and the fetched message have the same submessage', async () => {
  const local = { queue_id: 'none', local_id: '1' }
  const events = await collectEvents(world, { iris, otto }, async () => {
    const to = garden.stream_id
    await iris.messages.send({ type: 'stream', to, topic: 'beds', content: '/poll Which?', ...local })
  })
  for (const [event] of Object.values(events) as [Event][]) {
    assert.ok(event.type === 'message')
    const { id, submessages } = event.message
    assert.equal(submessages.length, 1)
    assert.deepEqual(submessages, (await readMessage(otto, id)).submessages)
    assert.deepEqual((await otto.messages.getRaw({ message_id: id })).message.submessages, submessages)
  }
})

test('a retried request with an idempotency key creates one poll', async () => {
  const before = (await world.database.query('select from submessage')).length
  const sendAt = async (node: 'a' | 'b') =>
    request(world.nodes[node].url, {
      ...{ method: 'POST', path: '/api/v1/messages', credentials: iris },
      form: { type: 'stream', to: String(garden.stream_id), topic: 'beds', content: '/poll Which?' },
      headers: { 'Idempotency-Key': 'once' },
    })

  const [first, second] = [await sendAt('a'), await sendAt('b')]

  assert.equal(first.status, 200)
  assert.deepEqual(second.body, first.body)
  assert.equal((await world.database.query('select from submessage')).length, before + 1)
})

test('widget_content creates a form and takes precedence over a command', async () => {
  const extra_data = {
    ...{ type: 'choices', heading: 'Pick' },
    choices: [{ short_name: 'A', long_name: 'Apples', reply: 'pick apples' }],
  }
  const form = { widget_type: 'zform', extra_data }
  const widgetContent = JSON.stringify({ ...form, extra_data: { ...extra_data, padding: 1.5 } })
  const to = garden.stream_id
  const { id } = await iris.messages.send({
    ...{ type: 'stream', to, topic: 'beds', content: '/poll Which?' },
    widget_content: widgetContent,
  })

  assert.deepEqual(await widgetOf(id), form)
})

test("invalid widget_content is refused with the protocol's error messages", async () => {
  const cases: [content: string, problem: string][] = [
    ['{', 'API programmer sent invalid JSON content'],
    ['[]', 'widget_content is not a dict'],
    ['1.0', 'widget_content is not a dict'],
    ['{}', 'widget_type is not in widget_content'],
    ['{"__proto__":{"widget_type":"zform","extra_data":{}}}', 'widget_type is not in widget_content'],
    ['{"widget_type":"zform"}', 'extra_data is not in widget_content'],
    ['{"widget_type":"zform","extra_data":4}', 'extra_data is not a dict'],
    ['{"widget_type":"poll","extra_data":{}}', 'unknown widget type: poll'],
    ['{"widget_type":{"toString":1},"extra_data":{}}', 'unknown widget type: {"toString":1}'],
    ['{"widget_type":"zform","extra_data":{}}', 'zform is missing type field'],
    ['{"widget_type":"zform","extra_data":{"type":"x"}}', 'unknown zform type: x'],
    ['{"widget_type":"zform","extra_data":{"type":"choices"}}', 'heading key is missing from extra_data'],
    [
      '{"widget_type":"zform","extra_data":{"type":"choices","heading":"x","choices":[{"short_name":"A","long_name":1,"reply":""}]}}',
      'extra_data["choices"][0]["long_name"] is not a string',
    ],
    [`"${'x'.repeat(10_000)}"`, 'widget_content is too long (limit: 10000 bytes)'],
  ]
  const params = { type: 'stream', to: String(garden.stream_id), topic: 'beds', content: 'x' }
  for (const [widget_content, problem] of cases)
    assert.deepEqual(
      await call(world, iris, 'POST /messages', { ...params, widget_content }),
      refusal(`Widgets: ${problem}`),
      widget_content,
    )
  const hidden = { ...params, to: '"nowhere"', widget_content: '{' }
  assert.match((await call(world, iris, 'POST /messages', hidden)).body.msg as string, /does not exist/)
})

test('all users with access can vote, and all readers see the same poll', async () => {
  const id = await send('/poll Which?\nRoses\nTulips')

  await add(id, { type: 'vote', key: 'canned,1', vote: 1 })
  // Users who are not subscribed to a public stream can vote too.
  await add(id, { type: 'new_option', idx: 1, option: 'Figs' }, nora)
  await add(id, { type: 'vote', key: `${nora.user_id},1`, vote: 1 }, robin)
  await add(id, question, iris)

  for (const reader of [iris, otto])
    assert.deepEqual(readWidget(await readMessage(reader, id)), {
      ...{ type: 'poll', question: 'What?' },
      options: [
        { key: 'canned,0', text: 'Roses', voters: [] },
        { key: 'canned,1', text: 'Tulips', voters: [otto.user_id] },
        { key: `${nora.user_id},1`, text: 'Figs', voters: [robin.user_id] },
      ],
    })
})

test("invalid submessages are refused in the protocol's order of checks", async () => {
  const [plain, asked, todo] = [await send('Which?'), await send('/poll'), await send('/todo')]
  const game = await send('/tictactoe')
  const attempt = (message_id: number, content: string, msg_type = 'widget', by = otto) =>
    call(world, by, 'POST /submessage', { message_id: String(message_id), msg_type, content })
  const cases: [message: number, content: string, msg: string][] = [
    [999_999_999, '{', 'Invalid message(s)'],
    [plain, '{', 'You cannot attach a submessage to this message.'],
    [plain, '{"widget_type":"poll","extra_data":null}', 'You cannot attach a submessage to this message.'],
    [asked, '{', 'Invalid json for submessage'],
    [asked, `${'['.repeat(200)}${']'.repeat(200)}`, 'Invalid json for submessage'],
    [game, `"${'x'.repeat(10_000)}"`, 'content is too long (limit: 10000 bytes)'],
    [asked, '7', 'poll data is not a dict'],
    [asked, '{}', 'type key is missing from poll data'],
    [asked, '{"type":"__proto__"}', 'Unknown type for poll data: __proto__'],
    [asked, '{"type":"strike","key":"1"}', 'Unknown type for poll data: strike'],
    [asked, JSON.stringify(question), "You can't edit a question unless you are the author."],
    [asked, '{"type":"vote","key":"canned,0","vote":2}', 'Invalid poll data["vote"]'],
    [asked, '{"type":"vote","key":7,"vote":1}', 'poll data["key"] is not a string'],
    [asked, '{"type":"new_option","idx":1001,"option":"x"}', 'poll data["idx"] is too large'],
    [asked, '{"type":"new_option","idx":1.0,"option":"x"}', 'poll data["idx"] is not an integer'],
    [todo, '{"type":"vote"}', 'Unknown type for todo data: vote'],
    [todo, '{"type":"strike","key":"1,2","extra":1}', 'Unexpected arguments: extra'],
  ]
  for (const [id, content, msg] of cases) assert.deepEqual(await attempt(id, content), refusal(msg), content)
  assert.deepEqual(
    await attempt(game, '{}', 'x'.repeat(61)),
    refusal('msg_type is too long (limit: 60 characters)'),
  )
  assert.equal((await attempt(game, '{"anything":[1.5]}', 'other')).status, 200)
  // Only the sender can make a message interactive after sending it.
  const start = JSON.stringify(poll('Late?'))
  assert.equal((await attempt(plain, start, 'widget', iris)).status, 200)
  assert.equal((await attempt(plain, '{"type":"vote","key":"canned,0","vote":1}')).status, 200)
})

test('one account cannot use up the submessage limit of a message', async () => {
  const id = await send('/tictactoe')
  const fill = (sender: number, count: number, bytes: number) =>
    world.database.query(
      `insert into submessage (organization_id, message_id, sender_id, msg_type, content)
       select $1, $2, $3, 'widget', repeat('1', $5) from generate_series(1, $4)`,
      [world.organization_id, id, sender, count, bytes],
    )
  const own = refusal('You cannot add more submessages to this message.')
  const all = refusal('This message cannot have more submessages.')

  await fill(otto.user_id, 499, 1)
  await add(id, 1)
  await assert.rejects(add(id, 1), own)
  await fill(nora.user_id, 1, 49_990)
  await assert.rejects(add(id, 'a long text', nora), own)
  await add(id, 1, nora)
  await fill(0, 9_496, 1)
  await add(id, 1, iris)
  await assert.rejects(add(id, 1, iris), all)
})

test('submessages whose texts are longer in a response than in the request count with that size', async () => {
  const id = await send('/tictactoe')
  await addSubmessages(world, [id], 21, 52_000, '"')

  await assert.rejects(
    add(id, '"'.repeat(4_990), otto),
    refusal('This message cannot have more submessages.'),
  )
  await add(id, 'x'.repeat(4_990), otto)
})

test('a page with large submessages ends early, and the next pages contain the other messages', async () => {
  const beds = await world.stream('large beds', { members: [iris, otto] })
  const sent: MessageId[] = []
  for (let index = 0; index < 24; index++)
    sent.push(await sendToStream(iris, beds, 'large', index % 4 === 3 ? 'Pruned.' : '/tictactoe'))
  // Adds the maximum that twenty accounts can add to each message.
  await world.database.query(
    `insert into submessage (organization_id, message_id, sender_id, msg_type, content)
     select organization_id, message_id, n, 'widget', repeat('1', 49900)
     from submessage, generate_series(1, 20) n where message_id = any($1)`,
    [sent],
  )
  const fetch = async (anchor: string, num_before: number, num_after: number) => {
    const page = await otto.messages.list({
      ...{ anchor, num_before, num_after, apply_markdown: false },
      narrow: [{ operator: 'stream', operand: beds.name }],
    })
    assert.ok(JSON.stringify(page).length < 8_500_000)
    return { ...page, ids: page.messages.map(({ id }) => id) }
  }

  const newest = await fetch('newest', 100, 0)
  assert.deepEqual([newest.found_oldest, newest.found_newest], [false, true])
  const shownIds = newest.ids
  for (let page = newest; !page.found_oldest; ) {
    page = await fetch(`${shownIds[0]}`, 100, 0)
    assert.equal(page.ids.at(-1), shownIds[0])
    shownIds.unshift(...page.ids.slice(0, -1))
  }
  assert.deepEqual(shownIds, sent)

  const middle = await fetch(`${sent[12]}`, 11, 11)
  assert.deepEqual([middle.found_oldest, middle.found_newest, middle.found_anchor], [false, false, true])
  const start = sent.indexOf(middle.ids[0] as MessageId)
  assert.ok(start > 2 && middle.ids.length > 6, `${start}, ${middle.ids.length}`)
  assert.deepEqual(middle.ids, sent.slice(start, start + middle.ids.length))
  const submessages = middle.messages.map((message) => message.submessages.length)
  assert.deepEqual(
    submessages,
    middle.ids.map((id) => (sent.indexOf(id) % 4 === 3 ? 0 : 21)),
  )
})

test('deleting a message deletes its submessages', async () => {
  const id = await send('/poll')
  await add(id, { type: 'new_option', idx: 0, option: 'Figs' })
  await owner.messages.remove({ message_id: id })

  assert.deepEqual(await world.database.query('select from submessage where message_id = $1', [id]), [])
  await assert.rejects(add(id, {}), refusal('Invalid message(s)'))
})

test('deleting a message by SQL, like a node of the previous release, deletes its submessages too', async () => {
  const id = await send('/poll')
  await add(id, { type: 'new_option', idx: 0, option: 'Figs' })
  await world.database.query('delete from message where id = $1', [id])

  assert.deepEqual(await world.database.query('select from submessage where message_id = $1', [id]), [])
})

test('adding a submessage while its message is deleted leaves no row behind', async () => {
  for (let round = 0; round < 10; round++) {
    const id = await send('/poll')
    await Promise.allSettled([
      add(id, { type: 'new_option', idx: 0, option: 'Figs' }),
      owner.messages.remove({ message_id: id }),
      add(id, { type: 'new_option', idx: 1, option: 'Pears' }),
    ])
    assert.deepEqual(await world.database.query('select from submessage where message_id = $1', [id]), [])
  }
})

test('messages without widgets have no submessages', async () => {
  await send('Pruned.')
  const newest = (await readMessages(otto, { stream: garden.name })).at(-1)

  assert.deepEqual(newest?.submessages, [])
})
