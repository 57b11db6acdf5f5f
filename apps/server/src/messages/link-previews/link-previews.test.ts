import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { MessageId } from '@oxbow/contract'
import {
  eventually,
  expectSameState,
  makeHeldPage,
  openQueue,
  type Person,
  repeatIfSlowed,
  type SitePage,
  startWebSite,
  startWorld,
} from '@oxbow/testkit'
import { collectEvents } from '@oxbow/testkit/calls/events'
import { readMessage, readMessages, sendPrivately, sendToStream } from '@oxbow/testkit/calls/messages'
import { setOrganizationRules } from '@oxbow/testkit/calls/organization'
import { schedule } from '@oxbow/testkit/calls/scheduled-messages'
import { deliverNow } from '../scheduled/test/deliver-now.ts'
import { maxFetchesPerHour } from './pages.ts'

const site = await startWebSite()
const world = await startWorld({
  ownServer: true,
  config: { outward_allowed_networks: ['127.0.0.1'] },
  resolveHost: async (host) => (host.startsWith('intern') ? ['10.0.0.1'] : ['127.0.0.1']),
})
after(async () => {
  await world[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
})
const { owner } = world
const [iris, otto, rosa] = await world.people('iris', 'otto', 'rosa')
const garden = await world.stream('garden', { members: [owner, iris, otto] })
await setOrganizationRules(world, 'message_content_edit_limit_seconds = 0, allow_message_deleting = true')

const pageWith =
  (headers: Record<string, string>, body: string | Buffer, status = 200): SitePage =>
  (_request, response) =>
    void response.writeHead(status, headers).end(body)
const html = { 'content-type': 'text/html' }
const redirectTo = (location: string) => pageWith({ location }, '', 302)

let count = 0
/** Adds a page to the test site and returns its path. */
function addPage(page: SitePage): string {
  const path = `/page-${++count}`
  site.pages.set(path, page)
  return path
}

/** Waits until the message has no pending preview request, and returns the message. */
async function readPreviewed(id: MessageId, reader: Person = otto) {
  await eventually(
    async () =>
      (await world.database.query('select from link_preview_request where message_id = $1', [id])).length ===
      0,
    60_000,
  )
  return readMessage(reader.on('b'), id)
}
const send = (content: string, sender = iris) => sendToStream(sender, garden, 'tea', content)

interface Shown {
  title: string
  description: string
  image: string | undefined
}

/** Returns the contents of the previews in a message's HTML, still HTML-escaped. */
function readPreviews(content: string): Shown[] {
  return content
    .split('<div class="message_embed">')
    .slice(1)
    .map((part) => ({
      title: /<div class="message_embed_title"><a [^>]*>(.*?)<\/a>/.exec(part)?.[1] ?? '',
      description: /<div class="message_embed_description">(.*?)<\/div>/.exec(part)?.[1] ?? '',
      image: /background-image: url\(([^)]*)\)/.exec(part)?.[1],
    }))
}
const show = async (url: string) => readPreviews((await readPreviewed(await send(`See ${url}`))).content)

/** Repeats an attempt that failed because the machine was slow, so that the fetch of a held page timed out. */
const whileHeld = (attempt: (number: number) => Promise<void>) =>
  repeatIfSlowed(world.database, 2_000, attempt)

/** A page whose response never ends. */
const endless: SitePage = (_request, response) => {
  response.writeHead(200, html).write('<title>Endless</title>')
  const timer = setInterval(() => response.write(' '), 100)
  response.on('close', () => clearInterval(timer))
}

test('a preview below the message shows the title, description and picture of the page', async () => {
  const path = addPage(
    '<meta property="og:title" content="Tea &amp; more"><meta property="og:description" content="All <about> tea"><meta property="og:image" content="https://cdn.example/tea.png"><meta property="og:url" content="https://evil.example/">',
  )
  const url = site.url(path)
  const id = await send(`See ${url}`)
  const { content, ...message } = await readPreviewed(id)

  assert.ok(
    content.startsWith(`<p>See <a href="${url}">${url}</a></p>\n<div class="message_embed">`),
    content,
  )
  assert.ok(content.includes(`<a href="${url}" title="Tea &amp; more">Tea &amp; more</a>`), content)
  assert.ok(content.includes('<div class="message_embed_description">All &lt;about&gt; tea</div>'), content)
  assert.ok(!content.includes('evil.example'))
  assert.match(content, /style="background-image: url\(\/external_content\/\w+\/\w+\)"/)
  assert.ok(!('last_edit_timestamp' in message) && !('edit_history' in message))
  const { message_history } = await iris.messages.history({ message_id: id })
  assert.equal(message_history.length, 1)
})

test('pages with metadata in various forms get a preview, and pages without metadata get none', async () => {
  const title = '<title>Grüne Tees</title>'
  const latin = Buffer.from(title, 'latin1')
  const other = site.url(addPage(title), 'other.example')
  const shapes: Record<string, [page: SitePage, titles: string[]]> = {
    'a character set in the header': [
      pageWith({ 'content-type': 'text/html; charset=iso-8859-1' }, latin),
      ['Grüne Tees'],
    ],
    'a character set in the page': [
      pageWith(
        html,
        Buffer.from([
          ...Buffer.from('<meta charset=shift_jis><title>'),
          0x92,
          0x83,
          ...Buffer.from('</title>'),
        ]),
      ),
      ['茶'],
    ],
    'broken HTML': [`<head><p <b>${title}<meta property="og:image" content=`, ['Grüne Tees']],
    'a huge page': [`<head>${title}</head>${'<p>tea</p>'.repeat(120_000)}`, ['Grüne Tees']],
    'a page that is too large': [`<head>${title}</head>${' '.repeat(5 * 1_024 * 1_024)}`, []],
    'a page in small pieces': [
      (_request, response) => {
        response.writeHead(200, html)
        const pieces = ['<title>Gr', 'üne T', 'ees</ti', 'tle>'].values()
        const timer = setInterval(() => {
          const { value, done } = pieces.next()
          if (!done) return response.write(value)
          clearInterval(timer)
          return response.end()
        }, 5)
      },
      ['Grüne Tees'],
    ],
    'a redirect to another host': [redirectTo(other), ['Grüne Tees']],
    'an endless redirect': [
      (request, response) => void response.writeHead(302, { location: request.url ?? '' }).end(),
      [],
    ],
    'JSON-LD only': [
      '<body><script type="application/ld+json">{"@type":"Article","headline":"Grüne Tees"}</script>',
      ['Grüne Tees'],
    ],
    oEmbed: [
      `<link rel="alternate" type="application/json+oembed" href="${addPage(pageWith({ 'content-type': 'application/json' }, '{"title":"Tee film","thumbnail_url":"https://cdn.example/f.png"}'))}">${title}`,
      ['Tee film'],
    ],
    'noindex in the page': [`<meta name=robots content="noindex">${title}`, []],
    'noindex in the header': [pageWith({ ...html, 'x-robots-tag': 'noindex' }, title), []],
    'another type': [pageWith({ 'content-type': 'application/json' }, '{"title":"Tea"}'), []],
    'no type': [pageWith({}, title), []],
    'compressed HTML': [pageWith({ ...html, 'content-encoding': 'gzip' }, gzipSync(title)), ['Grüne Tees']],
    'a page that is gone': [pageWith(html, title, 404), []],
    'a page that fails': [pageWith(html, title, 500), []],
    'no words': ['<body><img src=x.png>', []],
  }
  const sent = await Promise.all(
    Object.entries(shapes).map(async ([name, [page, titles]]) => ({
      name,
      titles,
      id: await send(site.url(addPage(page))),
    })),
  )
  for (const { name, titles, id } of sent)
    assert.deepEqual(
      readPreviews((await readPreviewed(id)).content).map((preview) => preview.title),
      titles,
      name,
    )
})

test('the robots.txt files of the link and of its redirect target are obeyed', async () => {
  site.pages.set('/robots.txt', (request, response) => {
    const isClosed = request.headers.host?.startsWith('closed')
    response.writeHead(200).end(isClosed ? 'User-agent: *\nDisallow: /' : 'User-agent: other\nDisallow: /')
  })
  const path = addPage('<title>Tea</title>')
  assert.deepEqual(await show(site.url(path, 'closed.example')), [])
  assert.equal(site.count(path), 0)
  assert.deepEqual(await show(site.url(addPage(redirectTo(site.url(path, 'closed.example'))))), [])
  assert.equal((await show(site.url(path, 'open.example'))).length, 1)
})

test('the requests reveal nothing about the message, its sender or its readers', async () => {
  const path = addPage('<title>Tea</title>')
  await show(site.url(path))
  const fetched = site.requests.find(({ url }) => url === path)
  const { host: _, connection: __, 'user-agent': agent = '', ...headers } = fetched?.headers ?? {}
  assert.match(agent, /^Oxbow\/[\d.]+$/)
  assert.deepEqual(headers, {
    accept: 'text/html, application/xhtml+xml;q=0.9',
    'accept-encoding': 'gzip, deflate, br',
  })
})

test('a link preview sends one rendering_only event to subscribers, and keeps their flags', () =>
  whileHeld(async () => {
    const held = makeHeldPage('Tea')
    const url = site.url(addPage(held.page))
    const id = await send(`@**all** @**Otto Gardener** ${url}`)
    const { flags } = await readMessage(otto, id)
    await otto.messages.changeFlags({ messages: [id], op: 'add', flag: 'starred' })
    const received = await expectSameState(world, { owner, iris, otto, rosa }, async () => {
      held.open()
      await readPreviewed(id)
    })
    const { content } = await readMessage(iris, id)
    const raw = await readMessage(iris, id, { apply_markdown: false })
    for (const [person, own] of [
      ['owner', ['wildcard_mentioned']],
      ['iris', ['wildcard_mentioned']],
      ['otto', ['starred', 'mentioned', 'wildcard_mentioned']],
    ] as const) {
      const [event, ...others] = received[person] ?? []
      assert.ok(event?.type === 'update_message')
      assert.deepEqual(others, [])
      const { id: _, flags: shown, ...rest } = event
      assert.deepEqual(new Set(shown), new Set(own))
      assert.deepEqual(rest, {
        type: 'update_message',
        rendering_only: true,
        sender: iris.email,
        message_id: id,
        message_ids: [id],
        content: raw.content,
        rendered_content: content,
      })
    }
    assert.deepEqual(received.rosa, [])
    assert.deepEqual(new Set((await readMessage(otto, id)).flags), new Set([...flags, 'starred']))
  }))

test('a preview changes only the HTML of a message, and nobody is notified again', () =>
  whileHeld(async () => {
    const held = makeHeldPage('@**Rosa Gardener** tulip')
    const url = site.url(addPage(held.page))
    await rosa.alertWords.add({ alert_words: ['tulip'] })
    await owner.subscriptions.subscribe({ subscriptions: [{ name: 'garden' }], principals: [rosa.user_id] })
    const id = await send(`@**Otto Gardener** ${url} <time:10>`)
    const before = await readMessage(rosa, id)
    await owner.users.update({ user_id: otto.user_id, full_name: 'Otto Renamed' })
    held.open()
    const { content, ...rest } = await readPreviewed(id, rosa).finally(() =>
      owner.users.update({ user_id: otto.user_id, full_name: 'Otto Gardener' }),
    )
    const { content: contentBefore, ...restBefore } = before

    assert.ok(content.startsWith(`${contentBefore}\n<div class="message_embed">`), content)
    assert.deepEqual(rest, restBefore)
    assert.deepEqual(rest.flags, [])
  }))

test('a page is fetched once per organization for many messages on both nodes', async () => {
  const hill = await world.addOrganization('hill')
  let path = ''
  await whileHeld(async () => {
    const held = makeHeldPage('Tea')
    path = addPage(held.page)
    const ids = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        sendToStream(
          (index % 2 ? iris : otto).on(index % 3 ? 'a' : 'b'),
          garden,
          'tea',
          `${site.url(path)}#${index}`,
        ),
      ),
    )
    await eventually(() => held.waiting() === 1)
    // While a page is fetched, other requests for the same page wait and are not retried.
    const waiting = 'select from link_preview_request where waits_for = $1 and due_at > now()'
    await eventually(
      async () => (await world.database.query(waiting, [site.url(path)])).length === ids.length - 1,
    )
    held.open()
    for (const id of ids) assert.equal(readPreviews((await readPreviewed(id)).content).length, 1)
    assert.equal(site.count(path), 1)
  })

  const id = await sendPrivately(hill.owner, [hill.owner], site.url(path))
  await eventually(async () => (await readMessage(hill.owner, id)).content.includes('message_embed'))
  assert.equal(site.count(path), 2)
  const failing = addPage(pageWith(html, '', 503))
  assert.deepEqual([await show(site.url(failing)), await show(site.url(failing))], [[], []])
  assert.equal(site.count(failing), 1)
})

test('messages that are edited, deleted or moved while a page is fetched get previews only for their current text', () =>
  whileHeld(async (attempt) => {
    const [first, second] = [makeHeldPage('First'), makeHeldPage('Second')]
    const [old, next] = [site.url(addPage(first.page)), site.url(addPage(second.page))]
    const attic = await world.stream(`attic ${attempt}`, { members: [owner, rosa] })
    const [removed, changed, kept, deleted, moved] = [
      await send(`removed ${old}`),
      await send(`changed ${old}`),
      await send(`kept ${old}`),
      await send(`deleted ${old}`),
      await send(`moved ${old}`),
    ]
    await eventually(() => first.waiting() === 1)
    const events = await collectEvents(
      world,
      { otto, rosa },
      async () => {
        await iris.messages.edit({ message_id: removed, content: 'nothing' })
        await iris.messages.edit({ message_id: changed, content: `changed ${next}` })
        await iris.messages.edit({ message_id: kept, content: `kept, ${old}` })
        await iris.messages.remove({ message_id: deleted })
        await owner.messages.edit({ message_id: moved, stream_id: attic.stream_id, topic: 'elsewhere' })
        first.open()
        second.open()
        for (const id of [removed, changed, kept, moved]) await readPreviewed(id, owner)
      },
      { event_types: ['update_message'] },
    )
    const titlesOf = async (id: MessageId) =>
      readPreviews((await readMessage(owner, id)).content).map(({ title }) => title)
    assert.deepEqual(await titlesOf(removed), [])
    assert.deepEqual(await titlesOf(changed), ['Second'])
    assert.deepEqual(await titlesOf(kept), ['First'])
    assert.deepEqual(await titlesOf(moved), ['First'])
    const rerendered = (person: 'otto' | 'rosa') =>
      (events[person] ?? []).flatMap((event) =>
        event.type === 'update_message' && event.rendering_only ? [event.message_id] : [],
      )
    assert.deepEqual(rerendered('otto').sort(), [changed, kept].sort())
    assert.deepEqual(rerendered('rosa').sort(), [changed, kept, moved].sort())
  }))

test('events and previews of a private stream reach only users who may read the message', () =>
  whileHeld(async (attempt) => {
    const held = makeHeldPage(`Secret${attempt} tea`)
    const url = site.url(addPage(held.page))
    const name = `vault ${attempt}`
    const vault = await world.stream(name, {
      members: [owner, iris, otto, rosa],
      invite_only: true,
      history_public_to_subscribers: false,
    })
    const lena = await world.person(`lena${attempt}`)
    const id = await sendToStream(iris, vault, 'keys', url)
    const direct = await sendPrivately(iris, [otto], url)
    await rosa.subscriptions.unsubscribe({ subscriptions: [name] })
    await owner.subscriptions.subscribe({ subscriptions: [{ name }], principals: [lena.user_id] })
    const events = await collectEvents(world, { owner, iris, otto, rosa, lena }, async () => {
      held.open()
      for (const messageId of [id, direct]) await readPreviewed(messageId, iris)
    })
    const received = Object.entries(events).map(([name, list]) => [
      name,
      // The two messages may be updated in either order.
      list
        .map((event) => (event.type === 'update_message' ? event.message_id : event.type))
        .sort((one, other) => Number(one) - Number(other)),
    ])
    assert.deepEqual(Object.fromEntries(received), {
      owner: [id],
      iris: [id, direct],
      otto: [id, direct],
      rosa: [],
      lena: [],
    })
    assert.ok((await readMessage(otto, id)).content.includes(`Secret${attempt} tea`))
    const readable = async (person: Person) =>
      (await readMessages(person, { search: `secret${attempt}` })).map((message) => message.id)
    assert.deepEqual([await readable(lena), await readable(otto)], [[], [id, direct]])
  }))

test("bots' links, links in quotes or code, too many links, and disabled previews cause no fetch", async () => {
  const path = addPage('<title>Tea</title>')
  const url = site.url(path)
  const robin = await world.bot('robin', iris)
  await owner.subscriptions.subscribe({ subscriptions: [{ name: 'garden' }], principals: [robin.user_id] })
  const texts = [`> ${url}`, `\`${url}\``, [1, 2, 3, 4, 5, 6].map((number) => `${url}?${number}`).join(' ')]
  for (const content of texts) await readPreviewed(await send(content))
  await readPreviewed(await send(url, robin))
  await setOrganizationRules(world, 'inline_url_embed_preview = false')
  await readPreviewed(await send(url))
  await setOrganizationRules(world, 'inline_url_embed_preview = true')
  assert.equal(site.count(path), 0)

  const held = makeHeldPage('Tea')
  const id = await send(site.url(addPage(held.page)))
  await eventually(() => held.waiting() === 1)
  await setOrganizationRules(world, 'inline_url_embed_preview = false')
  held.open()
  assert.ok(!(await readPreviewed(id)).content.includes('message_embed'))
  await setOrganizationRules(world, 'inline_url_embed_preview = true')
})

test('sent, scheduled and edited messages with several links get previews in the order of the links', async () => {
  const [one, two] = ['One', 'Two'].map((title) => site.url(addPage(`<title>${title}</title>`)))
  const content = `${two} and [one](${one}) and ${site.url('/rose.png')}`
  const titles = ['Two', 'One']
  const sent = await readPreviewed(await send(content))
  assert.deepEqual(
    readPreviews(sent.content).map(({ title }) => title),
    titles,
  )
  assert.ok(sent.content.includes('message_inline_image'))
  await deliverNow(world, [await schedule(iris, { to: garden.stream_id, topic: 'later', content })])
  const [scheduled] = await readMessages(otto, { stream: garden.name, topic: 'later' })
  const later = await readPreviewed(scheduled?.id as MessageId)
  assert.deepEqual(
    readPreviews(later.content).map(({ title }) => title),
    titles,
  )
})

test('hostile pages cannot insert HTML, hidden text or URLs of other schemes into a message', async () => {
  const path = addPage(
    `<meta property="og:title" content="&lt;img src=x onerror=alert(1)&gt;&quot;\u202Eexe.\u0007${'x'.repeat(100_000)}">
     <meta property="og:description" content="</div><script>alert(2)</script>&#x202E;">
     <meta property="og:image" content="javascript:alert(3)">
     <meta property="og:image:secure_url" content="data:image/svg+xml,<svg onload=alert(4)>">`,
  )
  const [shown] = await show(site.url(path))
  assert.ok(shown)
  assert.equal(shown.image, undefined)
  assert.ok(shown.title.startsWith('&lt;img src=x onerror=alert(1)&gt;"exe.xxx') && shown.title.length < 300)
  assert.equal(shown.description, '&lt;/div&gt;&lt;script&gt;alert(2)&lt;/script&gt;')
  const escaping = await show(
    site.url(
      addPage(
        '<title>T</title><meta property="og:image" content="https://x.example/a);color:red;x:url(&quot;b">',
      ),
    ),
  )
  assert.ok(!/[;"'{}]/.test(escaping[0]?.image ?? ''), escaping[0]?.image)
})

test('pages of this server and of private networks are not fetched', async () => {
  const { requests } = site
  const before = requests.length
  const ownPage = `${world.nodes.a.url}/api/v1/users/me`
  await readPreviewed(await send(ownPage))
  assert.deepEqual(await world.database.query('select from link_page where url = $1', [ownPage]), [])
  for (const url of [
    'http://10.0.0.1/',
    'http://intern.example/',
    'http://[::1]/',
    'http://2130706434/',
    'http://localhost:1/',
  ])
    assert.deepEqual(await show(url), [], url)
  assert.equal(requests.length, before)
  assert.deepEqual(await show(site.url(addPage(redirectTo(`${world.nodes.a.url}/api/v1/users/me`)))), [])
})

test('an oEmbed link of an oEmbed response is not followed', async () => {
  const path = `/chain-${++count}`
  site.pages.set(
    path,
    (_request, response) =>
      void response
        .writeHead(200, html)
        .end(`<title>Chain</title><link rel=alternate type=application/json+oembed href="${path}?again">`),
  )
  site.pages.set(`${path}?again`, site.pages.get(path) as SitePage)
  assert.deepEqual(
    (await show(site.url(path))).map(({ title }) => title),
    ['Chain'],
  )
  assert.deepEqual([site.count(path), site.count(`${path}?again`)], [1, 1])
})

test('an oEmbed link that is longer than other links is not followed', async () => {
  const oEmbed = `/${'x'.repeat(3_000)}`
  const page = `<title>Film</title><link rel=alternate type=application/json+oembed href="${oEmbed}">`
  assert.deepEqual(
    (await show(site.url(addPage(page)))).map(({ title }) => title),
    ['Film'],
  )
  assert.equal(site.count(oEmbed), 0)
})

test("links beyond an account's hourly limit are not fetched, while other accounts' links are", async () => {
  const mara = await world.person('mara')
  await owner.subscriptions.subscribe({ subscriptions: [{ name: 'garden' }], principals: [mara.user_id] })
  await world.database.query(
    `insert into link_page (organization_id, url, requested_by, claimed_until)
     select $1, 'http://flood.example/' || number, $2, '-infinity' from generate_series(1, $3::int) as number`,
    [world.organization_id, mara.user_id, maxFetchesPerHour],
  )
  const path = addPage('<title>Tea</title>')
  assert.deepEqual(readPreviews((await readPreviewed(await send(site.url(path), mara))).content), [])
  assert.equal(site.count(path), 0)
  assert.equal(readPreviews((await readPreviewed(await send(site.url(path)))).content).length, 1)
  // A page that was already fetched does not count towards the limit.
  assert.equal(readPreviews((await readPreviewed(await send(site.url(path), mara))).content).length, 1)
})

test('a preview request that fails repeatedly is dropped', async () => {
  const held = makeHeldPage('Tea')
  const id = await send(site.url(addPage(held.page)))
  await eventually(() => held.waiting() === 1)
  await world.database.query(
    'update link_preview_request set attempts = 9, due_at = now() where message_id = $1',
    [id],
  )
  assert.ok(!(await readPreviewed(id)).content.includes('message_embed'))
  held.open()
})

test('pages whose responses never end delay neither messages nor other previews nor the stop of a node', async () => {
  const inbox = await openQueue(otto, { event_types: ['message'] })
  const waiting = [1, 2, 3].map((number) =>
    site.url(`${addPage(endless)}?${number}`, `slow${number}.example`),
  )
  for (const url of waiting) await send(url)
  assert.equal((await inbox.take(3)).length, 3)
  assert.equal((await show(site.url(addPage('<title>Quick</title>')))).length, 1)
})

test('fetching pages for previews logs no server errors', () => {
  assert.deepEqual(world.log.entries(50), [])
})
