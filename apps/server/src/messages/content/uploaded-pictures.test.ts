import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { MessageId } from '@oxbow/contract'
import { pngOf, startWorld } from '@oxbow/testkit'
import { readMessages, sendPrivately, sendToStream } from '@oxbow/testkit/calls/messages'
import { schedule } from '@oxbow/testkit/calls/scheduled-messages'
import { upload } from '@oxbow/testkit/calls/uploads'
import pg from 'pg'
import sharp from 'sharp'
import { deliverNow } from '../scheduled/test/deliver-now.ts'

/** Number of queries that looked up sizes of pictures. */
let lookups = 0
// The hook must be installed before the nodes connect to the database.
const { query } = pg.Client.prototype
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
  const { text } = args[0] as { text?: string }
  if (text?.includes('as "contentType"')) lookups++
  return Reflect.apply(query, this, args)
} as typeof query

const world = await startWorld({ ownServer: true })
after(async () => {
  pg.Client.prototype.query = query
  await world[Symbol.asyncDispose]()
})
const [iris, otto] = await world.people('iris', 'otto')
const garden = await world.stream('garden', { members: [iris, otto] })

const htmlOf = async (message_id: MessageId) => (await otto.messages.getRaw({ message_id })).message.content
/** Returns the attributes of a message's picture, without its URL. */
const attributesOf = (html: string) => /<img ?(.*?) ?src="[^"]*"( title="[^"]*")?>/.exec(html)?.[1]
const sized = (type: string, dimensions: string) =>
  `data-original-content-type="image/${type}" data-original-dimensions="${dimensions}"`

const photo = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#123' } })
  .jpeg()
  .withMetadata({ orientation: 6 })
  .toBuffer()

test('uploaded images are rendered with size and type in sent, edited, scheduled and previewed messages', async () => {
  const uri = await upload(iris, 'photo.jpg', photo)
  const content = `[photo](${uri})`
  const expected = sized('jpeg', '40x60')

  const sent = await sendToStream(iris, garden, 'roses', content)
  assert.ok(
    (await htmlOf(sent)).endsWith(
      `<div class="message_inline_image"><a href="${uri}" title="photo"><img ${expected} src="${uri}"></a></div>`,
    ),
  )
  const edited = await sendToStream(iris, garden, 'roses', 'Wait …')
  await iris.messages.edit({ message_id: edited, content })
  assert.equal(attributesOf(await htmlOf(edited)), expected)
  await deliverNow(world, [await schedule(iris, { to: garden.stream_id, topic: 'later', content })])
  const [scheduled] = await readMessages(otto, { stream: garden.name, topic: 'later' })
  assert.equal(attributesOf(await htmlOf(scheduled?.id as MessageId)), expected)
  assert.equal(attributesOf((await iris.messages.render({ content })).rendered), expected)
  // A user who may read the file may forward it.
  const forwarded = await sendPrivately(otto, [iris], `see https://elsewhere.example and [it](${uri})`)
  assert.equal(attributesOf(await htmlOf(forwarded)), expected)
})

test('picture sizes are included for absolute and encoded links and for long texts rendered in a worker thread', async () => {
  const uri = await upload(iris, 'Plan für Beete.png', pngOf(7, 5))
  const forms = [encodeURI(uri), world.nodes.a.url + encodeURI(uri), `${uri}?x=1#y`]
  for (const form of forms) {
    const id = await sendToStream(iris, garden, 'roses', `[plan](${form})`)
    assert.equal(attributesOf(await htmlOf(id)), sized('png', '7x5'), form)
  }
  const long = await sendToStream(iris, garden, 'roses', `${'word '.repeat(1_000)}\n\n[plan](${uri})`)
  assert.equal(attributesOf(await htmlOf(long)), sized('png', '7x5'))
})

test('unknown files, files that are not pictures, and files the writer may not read get no size', async () => {
  const secret = await upload(iris, 'secret.png', pngOf(7, 5))
  const fake = await upload(iris, 'fake.png', 'no picture')
  const unknown = secret.replace(/\/secret\.png$/, '/other.png')
  const stolen = await sendToStream(otto, garden, 'roses', `[x](${secret})`)
  assert.equal(attributesOf(await htmlOf(stolen)), '')
  for (const uri of [fake, unknown, '/user_uploads/1/%00.png', '/user_uploads/1/%E0%A4%A.png']) {
    const id = await sendToStream(iris, garden, 'roses', `[x](${uri})`)
    assert.equal(attributesOf(await htmlOf(id)), '', uri)
  }
})

test('only texts that link to uploaded pictures cause a query for sizes', async () => {
  const file = await upload(iris, 'notes.txt')
  const picture = await upload(iris, 'rose.png', pngOf(7, 5))
  const countLookups = async (content: string) => {
    lookups = 0
    await sendToStream(iris, garden, 'roses', content)
    return lookups
  }

  assert.equal(await countLookups('Pruned. http://x.example/a.png'), 0)
  assert.equal(await countLookups(`[notes](${file})`), 0)
  assert.equal(await countLookups(`[rose](${picture}) [rose](${picture})`), 1)
})

test('rendering uploaded pictures logs no server errors', () => {
  assert.deepEqual(world.log.entries(50), [])
})
