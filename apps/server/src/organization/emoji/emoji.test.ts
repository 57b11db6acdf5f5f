import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { OrganizationId } from '@oxbow/contract'
import { eventually, type Person, pngOf, request, startWorld } from '@oxbow/testkit'
import { addEmoji } from '@oxbow/testkit/calls/emoji'
import { collectEvents } from '@oxbow/testkit/calls/events'
import { setOrganizationRules } from '@oxbow/testkit/calls/organization'
import { call, refusal } from '@oxbow/testkit/calls/requests'
import { sql } from 'kysely'
import sharp from 'sharp'
import { inTransaction } from '../../platform/database/transaction.ts'
import { lockOrganization } from '../queries.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto] = await world.people('iris', 'otto')
const gus = await world.person('gus', 'guest')
const robin = await world.bot('robin', iris)
const picture = pngOf(80, 40)

const filesOf = (...images: Uint8Array[]) => images.map((bytes) => ({ name: '../../etc/x.exe', bytes }))
const upload = (by: Person, emoji_name: string, ...images: Uint8Array[]) =>
  by.emoji.upload({ emoji_name, files: filesOf(...images) })
const storedFiles = () => readdir(join(world.files_dir, 'emoji', String(world.organization_id)))
const denied = refusal('Must be an organization administrator', { code: 'UNAUTHORIZED_PRINCIPAL' })

test('emoji added by members are sent to everyone, and guests and bots cannot add any', async () => {
  const events = await collectEvents(world, { iris, otto, gus, robin }, () => addEmoji(iris, 'party_owl'), {
    event_types: ['realm_emoji'],
  })

  const { emoji } = await gus.emoji.list()
  const [added, ...others] = Object.values(emoji)
  assert.deepEqual(others, [])
  const { id = '', ...rest } = added ?? {}
  assert.deepEqual(rest, {
    name: 'party_owl',
    author_id: iris.user_id,
    deactivated: false,
    source_url: `/user_avatars/${world.organization_id}/emoji/images/${id}.png`,
  })
  assert.deepEqual(Object.keys(emoji), [id])
  for (const list of Object.values(events))
    assert.deepEqual(
      list.map(({ id: _, ...event }) => event),
      [{ type: 'realm_emoji', op: 'update', realm_emoji: emoji }],
    )
  for (const person of [otto, gus, robin]) {
    const { realm_emoji } = await person.events.register({ fetch_event_types: ['realm_emoji'] })
    assert.deepEqual(realm_emoji, emoji)
  }
  await assert.rejects(upload(gus, 'guests', picture), refusal('Not allowed for guest users'))
  await assert.rejects(upload(robin, 'bots', picture), refusal('This endpoint does not accept bot requests.'))
})

test('uploaded pictures are resized and stay animated', async () => {
  const frames = [pngOf(300, 100, [255, 0, 0]), pngOf(300, 100, [0, 255, 0])]
  const moving = sharp(frames, { join: { animated: true } })
  const kinds = [
    ['still', picture, 'png', 1],
    ['moving_gif', await moving.clone().gif().toBuffer(), 'gif', 2],
    ['moving_webp', await moving.clone().webp().toBuffer(), 'webp', 2],
    ['photo', await sharp(picture).jpeg().toBuffer(), 'png', 1],
  ] as const
  for (const [name, bytes, type, count] of kinds) {
    const id = await addEmoji(otto, name, bytes)
    const { emoji } = await otto.emoji.list()
    assert.match(emoji[id]?.source_url ?? '', new RegExp(`/${id}\\.${type}$`))
    const stored = join(world.files_dir, 'emoji', String(world.organization_id), `${id}.${type}`)
    const made = await sharp(stored, { animated: true }).metadata()
    assert.deepEqual([made.format, made.width, made.pageHeight ?? made.height], [type, 64, 64])
    assert.equal(made.pages ?? 1, count, name)
  }
})

test('emoji names with other characters than lower-case letters, digits and ._- are refused', async () => {
  for (const [uploadedName, name] of [
    ['  two words ', 'two_words'],
    ['a', 'a'],
    ['7', '7'],
    ['.hidden', '.hidden'],
    ['a-b.c_d9', 'a-b.c_d9'],
    ['smile', 'smile'],
  ] as const) {
    await upload(iris, uploadedName, picture)
    assert.ok(Object.values((await iris.emoji.list()).emoji).some((emoji) => emoji.name === name))
  }
  const invalid = refusal('Invalid characters in emoji name')
  for (const name of ['Owl', 'owl!', 'ö', 'owl_', 'owl.', 'owl-', '🦉', 'a/b', 'a\nb', '...x%'])
    await assert.rejects(upload(iris, name, picture), invalid, JSON.stringify(name))
  for (const name of [' ', '\t\n'])
    await assert.rejects(upload(iris, name, picture), refusal('Emoji name is missing'))
  const nul = await call(world, iris, 'POST /realm/emoji/a%00b')
  assert.deepEqual(nul, refusal('Argument "emoji_name" contains a NUL character.'))
})

test("errors of an upload are reported in the protocol's order", async () => {
  const text = Buffer.from('no picture')
  const nameTaken = refusal('A custom emoji with this name already exists.')
  const mustBeOneFile = refusal('You must upload exactly one file.')
  await upload(iris, 'order', picture)
  await setOrganizationRules(world, 'add_emoji_by_admins_only = true')
  await assert.rejects(upload(iris, 'Order!', text), refusal('Invalid characters in emoji name'))
  await assert.rejects(upload(iris, 'order', text), denied)
  await setOrganizationRules(world, 'add_emoji_by_admins_only = false')
  await assert.rejects(upload(iris, 'order'), nameTaken)
  await assert.rejects(upload(iris, 'other'), mustBeOneFile)
  await assert.rejects(upload(iris, 'other', text, text), mustBeOneFile)
  await assert.rejects(upload(iris, 'other', text), refusal('Image file upload failed.'))
  const large = Buffer.concat([picture, Buffer.alloc(5 * 1_048_576)])
  const tooLarge = refusal('Uploaded file is larger than the allowed limit of 5 MiB')
  await assert.rejects(upload(iris, 'other', large), tooLarge)
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  for (const bytes of [picture.subarray(0, 60), svg, Buffer.alloc(0)])
    await assert.rejects(upload(iris, 'other', bytes), refusal('Image file upload failed.'))
})

test('author and administrators may deactivate an emoji, which frees its name', async () => {
  const first = await addEmoji(iris, 'wren')
  const remove = (by: Person, emoji_name = 'wren') => by.emoji.deactivate({ emoji_name })

  const denial = refusal('Must be an organization administrator or emoji author')
  for (const other of [otto, gus, robin]) await assert.rejects(remove(other), denial)
  const unknown = refusal("Emoji 'eagle' does not exist")
  for (const person of [owner, otto]) await assert.rejects(remove(person, 'eagle'), unknown)
  await setOrganizationRules(world, 'add_emoji_by_admins_only = true')
  await assert.rejects(remove(iris, 'eagle'), unknown)
  await assert.rejects(remove(iris), denied)
  await setOrganizationRules(world, 'add_emoji_by_admins_only = false')
  await remove(iris)
  await assert.rejects(remove(iris), refusal("Emoji 'wren' does not exist"))

  const second = await addEmoji(otto, 'wren')
  const { emoji } = await gus.emoji.list()
  assert.deepEqual([emoji[first]?.deactivated, emoji[second]?.deactivated], [true, false])
  await remove(owner)
  assert.equal((await gus.emoji.list()).emoji[second]?.deactivated, true)
  for (const id of [first, second]) assert.ok((await storedFiles()).includes(`${id}.png`))
})

test('an upload is refused if the user loses the permission while the picture is being resized', async () => {
  const before = await storedFiles()
  const late = await inTransaction(world.nodes.b.app.db, async (tx) => {
    await lockOrganization(tx, world.organization_id as OrganizationId)
    const attempt = upload(otto, 'late', picture)
    attempt.catch(() => {})
    const waiting = `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%from "organization"%'`
    await eventually(async () => (await world.database.query(waiting)).length > 0)
    await sql`update organization set add_emoji_by_admins_only = true`.execute(tx)
    return { attempt }
  })

  await assert.rejects(late.attempt, denied)
  assert.deepEqual(await storedFiles(), before)
  await upload(owner, 'late', picture)
  await setOrganizationRules(world, 'add_emoji_by_admins_only = false')
})

test('one of several concurrent uploads of the same emoji name succeeds, and no other files remain', async () => {
  const before = await storedFiles()
  const attempts = Array.from({ length: 8 }, (_, index) =>
    [iris, otto][index % 2]?.on(index % 3 === 0 ? 'a' : 'b').emoji.upload({
      emoji_name: 'phoenix',
      files: filesOf(picture),
    }),
  )

  const outcomes = await Promise.allSettled(attempts)

  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected')
      assert.equal(outcome.reason.body.msg, 'A custom emoji with this name already exists.')
  assert.equal((await storedFiles()).length, before.length + 1)
})

test('after concurrent uploads the last event has the complete list', async () => {
  const names = Array.from({ length: 6 }, (_, index) => `bird${index}`)
  const events = await collectEvents(
    world,
    { gus },
    () =>
      Promise.all(
        names.map(async (name, index) => {
          await addEmoji(index % 2 === 0 ? iris : otto, name)
          if (index % 3 === 0) await owner.on('b').emoji.deactivate({ emoji_name: name })
        }),
      ),
    { event_types: ['realm_emoji'] },
  )

  const last = events.gus?.at(-1)
  assert.ok(last?.type === 'realm_emoji')
  assert.deepEqual(last.realm_emoji, (await gus.emoji.list()).emoji)
  assert.equal(events.gus?.length, 8)
})

test('pictures of active and deactivated emoji are served without credentials and cacheable', async () => {
  const id = await addEmoji(iris, 'stork')
  await iris.emoji.deactivate({ emoji_name: 'stork' })
  const { source_url: path = '' } = (await iris.emoji.list()).emoji[id] ?? {}
  const ask = (url: string, headers = {}) => request(world.nodes.b.url, { path: url, headers })

  const { status, headers } = await ask(path)
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'image/png')
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  assert.match(headers.get('cache-control') ?? '', /immutable/)
  assert.match(headers.get('content-security-policy') ?? '', /sandbox/)
  assert.equal((await ask(path, { 'if-none-match': headers.get('etag') ?? '' })).status, 304)

  const folder = `/user_avatars/${world.organization_id}/emoji/images`
  for (const wrong of [
    `${folder}/999999.png`,
    `${folder}/${id}.gif`,
    `${folder}/${id}`,
    `${folder}/..%2f${id}.png`,
    `${folder}/${id}.png%00`,
    `/user_avatars/0${world.organization_id}9/emoji/images/${id}.png`,
    `/user_avatars/x/emoji/images/${id}.png`,
    `/user_avatars/..%2f${world.organization_id}/emoji/images/${id}.png`,
  ])
    assert.deepEqual(
      await ask(wrong).then(({ status, body }) => [status, body.code]),
      [404, 'NOT_FOUND'],
      wrong,
    )
})
