import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { BotType } from '@oxbow/contract'
import { toPlainText } from '@oxbow/markdown'
import { type MadeStream, type Person, startMailServer, startWorld } from '@oxbow/testkit'
import { findLink, submitRegistration } from '@oxbow/testkit/calls/joining'
import { readMessage, sendToStream } from '@oxbow/testkit/calls/messages'
import { nextWeek } from '@oxbow/testkit/calls/scheduled-messages'
import { deliver } from '@oxbow/testkit/calls/webhooks'
import { sendNotices } from '../src/messages/notices.ts'
import { deliverNow } from '../src/messages/scheduled/test/deliver-now.ts'
import { listPendingNotices } from '../src/streams/test/pending-notices.ts'

// Every notice of the notification bot, caused by people whose names, and about streams and bots whose names, are
// Markdown.

const mail = await startMailServer()
after(() => mail[Symbol.asyncDispose]())
const world = await startWorld({ config: { smtp_url: mail.url, external_url: 'http://localhost' } })
after(() => world[Symbol.asyncDispose]())
const { owner, database } = world
await owner.linkifiers.add({
  pattern: 'TICKET-(?P<id>[0-9]+)',
  url_format_string: 'https://evil.example/%(id)s',
})

const streamNames = [
  '@**all** [x](http://evil.example) `a` $$x$$ :smile:',
  '``` **b** #**garden>x** ~~d~~ evil.example <time:1>',
  'a\n\n```spoiler b\nhttp://evil.example/a.png\n```\n> c',
  'garden>x',
  'TICKET-7',
]
const personNames = [
  'A [x](http://evil.example/a.png)',
  'B $$x$$ :smile: ~~x~~ #123 evil.example',
  'TICKET-8',
  // Names with this line separator were allowed once.
  'D\u2028http://evil.example &lt;b&gt;',
]

let count = 0
const uniqueName = (name: string) => `${name} ${++count}`
const nextStreamName = () => uniqueName(streamNames[count % streamNames.length] ?? '')
const rename = (id: number, name: string) =>
  database.query('update user_account set full_name = $2 where id = $1', [id, name])

async function makePerson(label: string, role: 'member' | 'administrator' = 'member'): Promise<Person> {
  const person = await world.person(label, role)
  await rename(person.user_id, uniqueName(personNames[count % personNames.length] ?? ''))
  return person
}

const ada = await makePerson('ada', 'administrator')
const iris = await makePerson('iris')
const otto = await makePerson('otto')
const garden = await world.stream('garden', { members: [owner, ada, iris, otto] })
const news = await world.stream('news')
await database.query(
  'update organization set notifications_stream_id = $1, signup_notifications_stream_id = $1',
  [news.stream_id],
)
const nameOf = async ({ user_id }: { user_id: number }) =>
  (
    await database.query<{ full_name: string }>('select full_name from user_account where id = $1', [user_id])
  )[0]?.full_name ?? ''
const nameOfStream = async ({ stream_id }: { stream_id: number }) =>
  (await database.query<{ name: string }>('select name from stream where id = $1', [stream_id]))[0]?.name ??
  ''

interface Expected {
  /** Matches the words between the names. */
  says: RegExp
  mentions?: { user_id: number }[]
  links?: string[]
  /** Names that the notice contains as text. */
  names: string[]
}

const spaceless = (text: string) => text.replace(/[\p{Z}\p{C}]/gu, '')

/**
 * Runs `work`, then renames everything that has the names, sends the queued notices, and checks that
 * they contain the expected mentions and links, no others, and each name as text.
 */
async function expectNotices(work: () => Promise<unknown>, expected: readonly Expected[]): Promise<void> {
  const queued = async () => (await listPendingNotices(world)).filter(({ from }) => from !== 'welcome')
  const before = (await queued()).length
  const { id: last = 0 } =
    (await database.query<{ id: number }>('select coalesce(max(id), 0)::int as id from message'))[0] ?? {}
  await work()
  const calls = (await queued()).slice(before)
  const people = await database.query<{ id: number; full_name: string }>(
    'select id, full_name from user_account',
  )
  const streams = await database.query<{ id: number; name: string; folded_name: string }>(
    'select id, name, folded_name from stream',
  )
  await database.query("update user_account set full_name = 'Renamed ' || id")
  await database.query("update stream set name = 'renamed ' || id, folded_name = 'renamed ' || id")
  for (const call of calls) await sendNotices.run(world.nodes.a.app, call)
  for (const { id, full_name } of people) await rename(id, full_name)
  for (const { id, name, folded_name } of streams)
    await database.query('update stream set name = $2, folded_name = $3 where id = $1', [
      id,
      name,
      folded_name,
    ])

  const sent = await database.query<{ rendered_content: string; is_mention: boolean }>(
    `select distinct m.id, m.rendered_content,
       exists (select from user_message u where u.message_id = m.id and u.is_mentioned) as is_mention
     from message m join system_account a on a.id = m.sender_id where m.id > $1 order by m.id`,
    [last],
  )
  const texts = sent.map(({ rendered_content: html }) => html)
  assert.equal(texts.length, expected.length, JSON.stringify(texts))
  for (const { says, mentions = [], links = [], names } of expected) {
    const html = texts.find((text) => says.test(toPlainText(text)))
    assert.ok(html !== undefined, `${says} in ${JSON.stringify(texts)}`)
    assertHarmless(html)
    const ids = [...html.matchAll(/data-user-id="([^"]*)"/g)].map(([, id]) => Number(id))
    assert.deepEqual(
      ids,
      mentions.map(({ user_id }) => user_id),
      html,
    )
    const targets = [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href)
    assert.equal(targets.length, links.length, html)
    for (const [index, link] of links.entries())
      assert.ok(targets[index]?.startsWith(link), `${link} in ${html}`)
    const text = spaceless(toPlainText(html))
    for (const name of names) assert.ok(text.includes(spaceless(name)), `${name} in ${html}`)
  }
  assert.ok(sent.every(({ is_mention }) => !is_mention))
}

const allowedTags = /^(?:p|strong|code|ul|li|time|span class="user-mention(?: silent)?"|a)$/

function assertHarmless(html: string): void {
  for (const [, name = ''] of html.matchAll(/<(\w+(?: class="user-mention[^"]*")?)/g))
    assert.match(name, allowedTags, html)
  assert.doesNotMatch(html, /href="(?!\/#narrow)[^"]*evil/)
}

const linkTo = ({ stream_id }: { stream_id: number }) => `/#narrow/stream/${stream_id}-`
const findStream = async (name: string): Promise<MadeStream> => {
  const { streams } = await owner.streams.list()
  const stream = streams.find((listed) => listed.name === name)
  assert.ok(stream, name)
  return stream
}

for (const round of streamNames.keys()) {
  test(`notices about streams show hostile names as text, and mention and link exactly what they name: ${round}`, async () => {
    const [one, two, three] = [nextStreamName(), nextStreamName(), nextStreamName()]
    const by = { mentions: [iris] }
    let created: MadeStream[] = []
    await expectNotices(async () => {
      await iris.subscriptions.subscribe({ subscriptions: [{ name: one }], announce: true })
      await iris.subscriptions.subscribe({ subscriptions: [{ name: two }, { name: three }], announce: true })
      created = [await findStream(one), await findStream(two), await findStream(three)]
    }, [
      {
        says: /created a new stream/,
        ...by,
        names: [one],
        get links() {
          return created.slice(0, 1).map(linkTo)
        },
      },
      {
        says: /created the following/,
        ...by,
        names: [two, three],
        get links() {
          return created.slice(1).map(linkTo)
        },
      },
      ...[one, two, three].map(() => ({ says: /Stream created by/, ...by, names: [] })),
    ])
    const [first, second] = created as [MadeStream, MadeStream]
    const sorted = created.slice(1).toSorted((a, b) => (a.name < b.name ? -1 : 1))
    await expectNotices(async () => {
      const invite = (streams: string[]) =>
        iris.subscriptions.subscribe({
          subscriptions: streams.map((name) => ({ name })),
          principals: [otto.user_id],
        })
      await invite([one])
      await invite([two, three])
    }, [
      { says: /subscribed you to the stream/, ...by, names: [one], links: [linkTo(first)] },
      { says: /subscribed you to the following/, ...by, names: [two, three], links: sorted.map(linkTo) },
    ])
    const renamed = nextStreamName()
    await expectNotices(
      () => owner.streams.update({ stream_id: first.stream_id, new_name: renamed }),
      [{ says: /renamed stream/, mentions: [owner], names: [one, renamed] }],
    )
    const message_id = await sendToStream(iris, second, 'x')
    await expectNotices(
      () => ada.messages.edit({ message_id, stream_id: garden.stream_id, topic: `y ${round}` }),
      [
        { says: /moved here from another stream/, mentions: [ada], names: [] },
        { says: /moved by/, mentions: [ada], names: [], links: [`#narrow/near/${message_id}`] },
      ],
    )
  })
}

test('notices about people and bots show hostile names as text, and mention exactly whom they name', async () => {
  for (const [index, name] of personNames.slice(0, 3).entries()) {
    const newcomer = `${name} newcomer`
    let created = 0
    await expectNotices(async () => {
      const email = `newcomer${index}@garden.example`
      created = (await owner.users.create({ email, password: 'heron lake 77 reeds', full_name: newcomer }))
        .user_id
    }, [
      {
        says: /just signed up/,
        get mentions() {
          return [{ user_id: created }]
        },
        names: [newcomer],
      },
    ])
    const invitee = `invitee${index}@elsewhere.example`
    let joined = { user_id: 0 }
    await expectNotices(async () => {
      await iris.invitations.send({ invitee_emails: invitee, stream_ids: [garden.stream_id] })
      await submitRegistration(world, await findLink(mail, invitee), { full_name: `${name} invitee` })
      const { members } = await owner.users.list()
      const member = members.find(({ full_name }) => full_name === `${name} invitee`)
      assert.ok(member)
      joined = member
    }, [
      {
        says: /accepted your invitation/,
        get mentions() {
          return [joined]
        },
        names: [`${name} invitee`],
      },
      {
        says: /just signed up/,
        get mentions() {
          return [joined]
        },
        names: [`${name} invitee`],
      },
    ])

    const bot = await world.bot(`helper${index}`, iris)
    const { user_id: bot_id } = bot
    const full_name = `${name} bot`
    await rename(bot_id, full_name)
    await expectNotices(
      () => ada.bots.regenerateApiKey({ bot_id }),
      [{ says: /a new API key/, mentions: [ada], names: [full_name] }],
    )
    await expectNotices(
      () => ada.bots.update({ bot_id, bot_owner_id: otto.user_id }),
      [
        { says: /gave your bot/, mentions: [ada, otto], names: [full_name, await nameOf(otto)] },
        { says: /made you the owner/, mentions: [ada], names: [full_name] },
      ],
    )
  }
})

test('notices about webhooks and bots that write to streams show hostile names as text', async () => {
  for (const [index, name] of personNames.slice(0, 3).entries()) {
    const makeBot = async (label: string) => {
      const bot = await world.bot(`${label}${index}`, iris, BotType.incomingWebhook)
      await rename(bot.user_id, `${name} ${label}`)
      return bot
    }
    const hostile = nextStreamName()
    const lost = await makeBot('lost')
    await expectNotices(
      () => deliver(world, { bot: lost, query: { stream: hostile } }),
      [{ says: /that stream does not exist/, names: [lost.email, hostile], links: ['#streams/new'] }],
    )
    const unheard = await makeBot('unheard')
    const empty = await world.stream(nextStreamName())
    await owner.subscriptions.unsubscribe({ subscriptions: [empty.name] })
    await expectNotices(
      () => deliver(world, { bot: unheard, query: { stream: empty.name } }),
      [
        {
          says: /does not have any subscribers/,
          names: [unheard.email, await nameOfStream(empty)],
          links: [linkTo(empty)],
        },
      ],
    )
    const garbled = await makeBot('garbled')
    await expectNotices(
      () => deliver(world, { bot: garbled, body: 'no JSON' }),
      [{ says: /that is not JSON/, names: [garbled.email] }],
    )
    const headless = await makeBot('headless')
    await expectNotices(
      () => deliver(world, { bot: headless, integration: 'github' }),
      [
        {
          says: /without the header X-GitHub-Event/,
          names: [`${name} headless`],
          links: ['/integrations/github'],
        },
      ],
    )
    const incomplete = await makeBot('incomplete')
    await expectNotices(
      () => deliver(world, { bot: incomplete, integration: 'uptimerobot', json: {} }),
      [{ says: /that lacks/, names: [`${name} incomplete`] }],
    )
  }
})

test('notices about scheduled messages show hostile names as text', async () => {
  const bot = await world.bot('planner', iris)
  const name = `${personNames[1]} planner`
  await rename(bot.user_id, name)
  const shed = await world.stream(nextStreamName(), { members: [owner, iris] })
  const at = nextWeek()
  const { scheduled_message_id } = await bot.scheduledMessages.create({
    type: 'stream',
    to: shed.stream_id,
    topic: 'x',
    content: 'y',
    scheduled_delivery_timestamp: at,
  })
  await owner.streams.archive(shed)
  await expectNotices(
    () => deliverNow(world, [scheduled_message_id]),
    [{ says: /were not sent/, names: [name, `Stream with ID '${shed.stream_id}' does not exist`] }],
  )
})

test('a reminder links the topic in which it was set, whatever the names are, and still after the stream was renamed', async () => {
  for (const topic of ['@**all** [x](http://evil.example)', '``` $$x$$ `a` :smile:', 'x>y TICKET-8 ~~d~~']) {
    const stream = await world.stream(nextStreamName(), { members: [owner, iris] })
    await iris.messages.send({
      type: 'stream',
      to: stream.stream_id,
      topic,
      content: 'Water *it*.',
      delivery_type: 'remind',
      deliver_at: '2099-03-20 10:00',
    })
    const { scheduled_messages } = await iris.scheduledMessages.list()
    const id = scheduled_messages.at(-1)?.scheduled_message_id
    assert.ok(id !== undefined)
    await owner.streams.update({ stream_id: stream.stream_id, new_name: uniqueName('other') })
    await deliverNow(world, [id])

    const [sent] = await database.query<{ id: number }>('select coalesce(max(id), 0)::int as id from message')
    const { content } = await readMessage(iris, sent?.id as never)
    assertHarmless(content.replaceAll('<em>it</em>', 'it'))
    assert.match(content, new RegExp(`^<p>Reminder from <a [^>]*href="${linkTo(stream)}[^"]*/topic/`))
    const shown = spaceless(toPlainText(content))
    assert.ok(shown.startsWith(spaceless(`Reminder from #${stream.name} > ${topic}:`)), shown)
  }
})
