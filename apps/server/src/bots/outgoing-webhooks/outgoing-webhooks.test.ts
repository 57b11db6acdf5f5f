import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { MessageId, StreamId, UserId } from '@oxbow/contract'
import { eventually, type Person, startWorld } from '@oxbow/testkit'
import { makeBot } from '@oxbow/testkit/calls/bots'
import { readMessages, sendPrivately, sendToStream } from '@oxbow/testkit/calls/messages'
import { setOrganizationRules } from '@oxbow/testkit/calls/organization'
import { schedule } from '@oxbow/testkit/calls/scheduled-messages'
import { deliverNow } from '../../messages/scheduled/test/deliver-now.ts'
import { startWebhookReceiver } from './test/webhook-receiver.ts'

const receiver = await startWebhookReceiver()
const world = await startWorld({
  ownServer: true,
  config: { outward_allowed_networks: ['127.0.0.1'] },
  resolveHost: async (host) => {
    if (host === 'private.example') return ['10.0.0.1']
    return host === 'bots.example' ? ['127.0.0.1'] : []
  },
})
after(async () => {
  await world[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})
const { owner } = world
const [iris, otto, rosa] = await world.people('iris', 'otto', 'rosa')
const garden = await world.stream('garden', { members: [owner, iris, otto] })
const meadow = await world.stream('meadow', { members: [owner, otto] })
const secret = await world.stream('secret', { members: [otto, rosa], invite_only: true })
await setOrganizationRules(world, 'message_content_edit_limit_seconds = 0')

const form = 2
let count = 0

/** Creates an outgoing webhook of iris whose server answers like this. */
async function makeWebhook(
  answer?: Parameters<typeof receiver.answer>[1],
  options: Parameters<typeof makeBot>[3] = {},
) {
  const name = `helper${++count}`
  const path = `/${name}`
  if (answer) receiver.answer(path, answer)
  const bot = await makeBot(world, iris, name, {
    bot_type: 3,
    payload_url: receiver.url(path),
    ...options,
  })
  return { bot, mention: `@**${name} Bot**`, calls: () => receiver.callsOf(path) }
}

/** Waits until all calls of a bot have ended. */
const ended = ({ user_id }: { user_id: UserId }) =>
  eventually(async () => {
    const rows = await world.database.query('select from outgoing_webhook_call where bot_id = $1', [user_id])
    return rows.length === 0
  })

/** Makes postponed calls of a bot due. */
const hurry = ({ user_id }: { user_id: UserId }) =>
  world.database.query('update outgoing_webhook_call set due_at = now() where bot_id = $1', [user_id])

/** Returns what a bot has said to the reader in these conversations. */
async function saidBy(bot: { user_id: UserId }, reader: Person, where: Record<string, string>) {
  const messages = await readMessages(reader.on('b'), where)
  return messages.filter(({ sender_id }) => sender_id === bot.user_id).map(({ content }) => content)
}

let topics = 0
/** Sends a message to a topic of its own, and returns the topic. */
async function say(content: string, sender: Person = otto, stream = garden): Promise<string> {
  const topic = `topic ${++topics}`
  await sendToStream(sender, stream, topic, content)
  return topic
}

const privately = (bot: Person) => ({ 'pm-with': bot.email })

test('a bot that is mentioned in a stream gets the message and replies in the topic', async () => {
  const { bot, mention, calls } = await makeWebhook({ content: 'It *rains*.' })
  const topic = await say(`${mention} what is the weather?`)
  await ended(bot)

  assert.deepEqual(await saidBy(bot, otto, { stream: 'garden', topic }), ['It *rains*.'])
  const [call, ...others] = calls()
  assert.ok(call)
  assert.equal(others.length, 0)
  assert.equal(call.method, 'POST')
  assert.equal(call.headers['content-type'], 'application/json')
  assert.equal(call.headers['user-agent'], 'ChatOutgoingWebhook/3.1')
  const { message, token, ...rest } = JSON.parse(call.body)
  assert.deepEqual(rest, {
    data: `${mention} what is the weather?`,
    bot_email: bot.email,
    bot_full_name: mention.slice('@**'.length, -'**'.length),
    trigger: 'mention',
  })
  const { realm_bots = [] } = await iris.events.register({ fetch_event_types: ['realm_bot'] })
  const shown = realm_bots.find(({ user_id }) => user_id === bot.user_id)
  assert.deepEqual(shown?.services, [{ base_url: receiver.url('/helper1'), interface: 1, token }])
  assert.equal(token.length, 32)
  assert.deepEqual(
    [message.content, message.type, message.stream_id, message.subject, message.display_recipient],
    [`${mention} what is the weather?`, 'stream', garden.stream_id, topic, 'garden'],
  )
  assert.deepEqual([message.sender_id, message.sender_email], [otto.user_id, otto.email])
  assert.match(message.rendered_content, /<span class="user-mention"/)
  assert.ok(message.avatar_url)
  assert.equal('flags' in message, false)
})

test('a bot gets private messages, alone and in groups, and replies to all', async () => {
  const { bot, calls } = await makeWebhook((call, response) => {
    const { message, trigger } = JSON.parse(call.body)
    response.end(JSON.stringify({ content: `${trigger}: ${message.content}` }))
  })
  await sendPrivately(otto, [bot], 'alone')
  await ended(bot)
  assert.deepEqual(await saidBy(bot, otto, privately(bot)), ['private_message: alone'])

  await sendPrivately(otto, [bot, rosa], 'together')
  await ended(bot)
  const group = { 'pm-with': `${bot.email},${otto.email}` }
  assert.deepEqual(await saidBy(bot, rosa, group), ['private_message: together'])
  assert.equal(calls().length, 2)
})

test('only real mentions by people, in new messages, call a bot', async () => {
  const { bot, mention, calls } = await makeWebhook({ content: 'Called.' })
  const generic = await makeBot(world, iris, 'generic')
  await say(`\`${mention}\``)
  await say(`> ${mention}`)
  await say(mention.replace('@', '@_'))
  await say('@**all** look')
  await say(mention, generic)
  await sendPrivately(generic, [bot], 'hello')
  await sendPrivately(otto, [rosa], mention)
  const id = await sendToStream(otto, garden, 'edited', 'without')
  await otto.messages.edit({ message_id: id, content: mention })

  await say(`${mention} at last`)
  await ended(bot)
  assert.deepEqual(
    calls().map(({ body }) => JSON.parse(body).data),
    [`${mention} at last`],
  )
})

test('a message that is sent later calls the bot when it is sent', async () => {
  const { bot, mention, calls } = await makeWebhook({ content: 'Good morning.' })
  const id = await schedule(otto, { to: 'garden', topic: 'later', content: mention })
  assert.equal(calls().length, 0)
  await deliverNow(world, [id])
  await eventually(async () => calls().length > 0)
  await ended(bot)
  assert.deepEqual(await saidBy(bot, otto, { stream: 'garden', topic: 'later' }), ['Good morning.'])
})

test('a bot replies in a private stream where it is called, but cannot post there otherwise', async () => {
  const { bot, mention } = await makeWebhook({ content: 'Here.' })
  const topic = await say(mention, otto, secret)
  await ended(bot)
  assert.deepEqual(await saidBy(bot, otto, { stream: 'secret', topic }), ['Here.'])
  await assert.rejects(sendToStream(bot, secret, topic, 'uninvited'))
})

test('answers without content post nothing', async () => {
  for (const answer of [
    { response_not_required: true, content: 'no' },
    { content: ' \n' },
    { content: 5 },
    { other: 'key' },
    { text: 'of the other format' },
    {},
  ]) {
    const { bot, mention, calls } = await makeWebhook(answer)
    const topic = await say(mention)
    await ended(bot)
    assert.equal(calls().length, 1)
    assert.deepEqual(await saidBy(bot, otto, { stream: 'garden', topic }), [], JSON.stringify(answer))
  }
})

test('the older name of a reply is understood, long replies are cut, and widgets are shown', async () => {
  const { bot, mention } = await makeWebhook({ response_string: 'x'.repeat(10_001), content: 'no' })
  const topic = await say(mention)
  await ended(bot)
  const [reply = ''] = await saidBy(bot, otto, { stream: 'garden', topic })
  assert.ok(reply.startsWith('xxx') && reply.endsWith('[message truncated]'))

  const widget = {
    widget_type: 'zform',
    extra_data: { type: 'choices', heading: 'Which?', choices: [] },
  }
  for (const widget_content of [widget, JSON.stringify(widget)]) {
    const asking = await makeWebhook({ content: 'Which?', widget_content })
    const where = { stream: 'garden', topic: await say(asking.mention) }
    await ended(asking.bot)
    const message = (await readMessages(otto.on('b'), where)).at(-1)
    assert.deepEqual(JSON.parse(message?.submessages[0]?.content ?? 'null'), widget)
  }
})

test('the form format sends fields of a form, reads text, and refuses private messages', async () => {
  const { bot, mention, calls } = await makeWebhook(
    { text: 'Slack says hi.', content: 'no' },
    { interface_type: form },
  )
  const topic = await say(mention)
  await ended(bot)
  assert.deepEqual(await saidBy(bot, otto, { stream: 'garden', topic }), ['Slack says hi.'])
  const [call] = calls()
  assert.equal(call?.headers['content-type'], 'application/x-www-form-urlencoded')
  const { token, timestamp, ...fields } = Object.fromEntries(new URLSearchParams(call?.body))
  assert.equal(token?.length, 32)
  assert.ok(Math.abs(Number(timestamp) - Date.now() / 1_000) < 600)
  assert.deepEqual(fields, {
    team_id: '',
    team_domain: 'garden.example',
    channel_id: String(garden.stream_id),
    channel_name: 'garden',
    user_id: String(otto.user_id),
    user_name: 'Otto Gardener',
    text: mention,
    trigger_word: 'mention',
    service_id: String(bot.user_id),
  })

  await sendPrivately(otto, [bot], 'hi')
  await ended(bot)
  assert.deepEqual(await saidBy(bot, otto, privately(bot)), [
    "Failure! Slack outgoing webhooks don't support private messages.",
  ])
  assert.equal(calls().length, 1)
})

test('a refusal is shown where the bot was called, and its owner gets a message of the bot with the answer', async () => {
  const { bot, mention, calls } = await makeWebhook((_, response) =>
    response.writeHead(500).end('broken ``` <b>\0'.padEnd(2_000, 'x')),
  )
  const topic = await say(mention)
  await ended(bot)
  assert.deepEqual(await saidBy(bot, otto, { stream: 'garden', topic }), [
    'Failure! Third party responded with 500',
  ])
  const said = await eventually(async () => {
    const [first, ...others] = await saidBy(bot, iris, privately(bot))
    assert.equal(others.length, 0)
    return first
  })
  assert.match(
    said,
    /^\[A message\]\(#narrow\/near\/\d+\) called this bot, but its server answered with status 500:/,
  )
  assert.match(said, /\n````text\nbroken ``` <b>x+\n````$/)
  assert.ok(said.length < 700)

  // A second failure within a minute is only shown where it happened. The minute begins anew, as on a fast machine.
  await world.database.query('update owner_notice set told_at = now() where bot_id = $1', [bot.user_id])
  await say(mention)
  await ended(bot)
  assert.equal((await saidBy(bot, iris, privately(bot))).length, 1)
  assert.equal(calls().length, 2)
})

test('answers that are no JSON object, redirects and too large answers are failures', async () => {
  const failures: [Parameters<typeof receiver.answer>[1], string][] = [
    [(_, response) => response.end('<html>'), 'Invalid JSON in response'],
    [(_, response) => response.end('[]'), 'Invalid JSON in response'],
    [(_, response) => response.end('null'), 'Invalid JSON in response'],
    [
      (_, response) => response.writeHead(307, { location: receiver.url('/elsewhere') }).end(),
      'Third party responded with 307',
    ],
    [(_, response) => response.end('x'.repeat(200_001)), 'The server of this bot cannot be called'],
    [{ content: 'bad \0 text' }, 'Invalid'],
    [{ content: 'x', widget_content: { widget_type: 'other' } }, 'Widgets'],
  ]
  for (const [answer, text] of failures) {
    const { bot, mention, calls } = await makeWebhook(answer)
    const topic = await say(mention)
    await ended(bot)
    const said = await saidBy(bot, otto, { stream: 'garden', topic })
    assert.equal(calls().length, 1)
    assert.equal(said.length, 1)
    assert.ok(said[0]?.startsWith('Failure! '), said[0])
    if (!['Invalid', 'Widgets'].includes(text)) assert.equal(said[0], `Failure! ${text}`)
  }
  assert.equal(receiver.callsOf('/elsewhere').length, 0)
})

test('private addresses are not called', async () => {
  const { bot, mention } = await makeWebhook(undefined, { payload_url: 'http://private.example/hook' })
  const topic = await say(mention)
  await ended(bot)
  assert.deepEqual(await saidBy(bot, otto, { stream: 'garden', topic }), [
    'Failure! The server of this bot cannot be called',
  ])
  const said = await eventually(async () => (await saidBy(bot, iris, privately(bot)))[0])
  assert.match(said, /OXBOW_OUTWARD_ALLOWED_NETWORKS/)
})

test('a server that cannot be reached is called three times more, and answers when it is back', async () => {
  const interrupted: Parameters<typeof receiver.answer>[1] = (_, response) => response.destroy()
  const { bot, mention, calls } = await makeWebhook(interrupted)
  const topic = await say(`${mention} first`)
  for (let attempt = 1; attempt <= 4; attempt++) {
    await eventually(async () => calls().length >= attempt)
    await hurry(bot)
  }
  await ended(bot)
  assert.equal(calls().length, 4)
  assert.deepEqual(await saidBy(bot, otto, { stream: 'garden', topic }), ['Failure! Bot is unavailable'])
  const said = await eventually(async () => (await saidBy(bot, iris, privately(bot)))[0])
  assert.match(said, /but its server could not be reached:/)

  const again = await say(`${mention} second`)
  await eventually(async () => calls().length >= 5)
  receiver.answer(`/helper${count}`, { content: 'Back.' })
  await eventually(async () => {
    await hurry(bot)
    return (await saidBy(bot, otto, { stream: 'garden', topic: again })).length > 0
  })
  assert.deepEqual(await saidBy(bot, otto, { stream: 'garden', topic: again }), ['Back.'])
})

test('calls of one bot are made in order, one at a time, while others are served', async () => {
  const held = new Map<string, (() => void)[]>()
  const released = new Set<string>()
  const slow = await makeWebhook((call, response) => {
    const { content } = JSON.parse(call.body).message
    const answer = () => response.end(JSON.stringify({ content: `re ${content}` }))
    // On a busy machine, a call may take too long and be made again.
    if (released.has(content)) answer()
    else held.set(content, [...(held.get(content) ?? []), answer])
  })
  const quick = await makeWebhook({ content: 'Quick.' })
  const contents = ['1', '2', '3']
  for (const content of contents) await sendPrivately(otto, [slow.bot], content)
  await eventually(() => held.has('1'))
  await sendPrivately(otto, [quick.bot], 'hi')
  await ended(quick.bot)

  for (const [index, content] of contents.entries()) {
    await eventually(() => held.has(content))
    assert.deepEqual([...held.keys()], contents.slice(0, index + 1))
    released.add(content)
    for (const answer of held.get(content) ?? []) answer()
  }
  await ended(slow.bot)
  assert.deepEqual(await saidBy(slow.bot, otto, privately(slow.bot)), ['re 1', 're 2', 're 3'])
})

test('a call of a node that died is made again, and only the later attempt posts a reply', async () => {
  const held: (() => void)[] = []
  const { bot, calls } = await makeWebhook((_, response) => {
    const number = held.push(() => response.end(JSON.stringify({ content: `attempt ${number}` })))
  })
  await sendPrivately(otto, [bot], 'hello')
  await eventually(async () => held.length === 1)
  await world.database.query(
    "update outgoing_webhook_call set claimed_until = '-infinity' where bot_id = $1",
    [bot.user_id],
  )
  await eventually(async () => held.length === 2)
  held[0]?.()
  held[1]?.()
  await ended(bot)
  assert.deepEqual(await saidBy(bot, otto, privately(bot)), ['attempt 2'])
  assert.equal(calls().length, 2)
})

test('calls that waited for ten minutes are not made', async () => {
  const { bot, mention, calls } = await makeWebhook((_, response) => response.destroy())
  const topic = await say(mention)
  await eventually(async () => calls().length > 0)
  await world.database.query(
    `update outgoing_webhook_call set created_at = now() - interval '11 minutes', due_at = now() where bot_id = $1`,
    [bot.user_id],
  )
  await ended(bot)
  assert.deepEqual(await saidBy(bot, otto, { stream: 'garden', topic }), ['Failure! Bot is unavailable'])
})

test('a reply follows its message to another stream and topic', async () => {
  const answers: (() => void)[] = []
  const { bot, mention } = await makeWebhook((_, response) => {
    answers.push(() => response.end(JSON.stringify({ content: 'Found you.' })))
  })
  const id = await sendToStream(otto, garden, 'before', mention)
  await eventually(async () => answers.length > 0)
  await owner.messages.edit({ message_id: id, stream_id: meadow.stream_id, topic: 'after' })
  // The attempt had read the old place already, so it counts as one of a node that died.
  await world.database.query(
    "update outgoing_webhook_call set claimed_until = '-infinity' where bot_id = $1",
    [bot.user_id],
  )
  await eventually(async () => answers.length > 1)
  for (const answer of answers) answer()
  await ended(bot)
  assert.deepEqual(await saidBy(bot, otto, { stream: 'meadow', topic: 'after' }), ['Found you.'])
  assert.deepEqual(await saidBy(bot, otto, { stream: 'garden', topic: 'before' }), [])
})

test('a bot is not called for deleted messages, in archived streams, or after it was deactivated', async () => {
  const changes: Record<
    string,
    (called: { bot: Person; id: MessageId; stream: StreamId }) => Promise<unknown>
  > = {
    deleted: ({ id }) => owner.messages.remove({ message_id: id }),
    archived: ({ stream }) => owner.streams.archive({ stream_id: stream }),
    deactivated: ({ bot }) => iris.bots.deactivate({ bot_id: bot.user_id }),
  }
  for (const [name, change] of Object.entries(changes)) {
    const { bot, mention, calls } = await makeWebhook((_, response) => response.destroy())
    const stream = await world.stream(name, { members: [owner, otto] })
    const id = await sendToStream(otto, stream, 'tea', mention)
    await eventually(async () => {
      const [call] = await world.database.query<{ is_postponed: boolean }>(
        'select due_at > created_at as is_postponed from outgoing_webhook_call where bot_id = $1',
        [bot.user_id],
      )
      return call?.is_postponed
    })
    await change({ bot, id, stream: stream.stream_id })
    const before = calls().length
    await hurry(bot)
    await ended(bot)
    assert.equal(calls().length, before, name)
    const replies = await world.database.query('select from message where sender_id = $1', [bot.user_id])
    assert.equal(replies.length, 0, name)
  }
})
