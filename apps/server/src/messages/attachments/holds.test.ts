import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually, type Person, startStopwatch, startWorld } from '@oxbow/testkit'
import { sendToStream } from '@oxbow/testkit/calls/messages'
import { setOrganizationRules } from '@oxbow/testkit/calls/organization'
import { schedule } from '@oxbow/testkit/calls/scheduled-messages'
import { statusOf, upload } from '@oxbow/testkit/calls/uploads'
import pg from 'pg'
import { expireUploads } from '../uploads/remove-files.ts'

// A separate server: one test adds a failing trigger to a table that all organizations share.
const world = await startWorld({ ownServer: true })
after(() => world[Symbol.asyncDispose]())
const [iris, otto] = await world.people('iris', 'otto')
const garden = await world.stream('garden', { members: [iris, otto] })
await setOrganizationRules(world, 'allow_message_deleting = true')
const { query } = world.database

const pathOf = (uri: string) => uri.slice('/user_uploads/'.length)
const draftOf = (content: string) =>
  ({ type: 'stream', to: [garden.stream_id], topic: 'roses', content }) as never
const saveDraft = async (person: Person, content: string) =>
  (await person.drafts.create({ drafts: [draftOf(content)] })).ids[0] as never

/**
 * Returns for each file whether a draft or scheduled message holds it. Also checks that exactly the
 * files without a hold expire.
 */
async function listHeld(...uris: string[]): Promise<boolean[]> {
  const rows = await query<{ path_id: string; is_held: boolean; expires: boolean }>(
    `select path_id, unclaimed_since is not null as expires,
       exists (select from upload_hold h where h.organization_id = u.organization_id and h.upload_id = u.id) as is_held
     from upload u`,
  )
  return uris.map((uri) => {
    const row = rows.find(({ path_id }) => path_id === pathOf(uri))
    assert.equal(row?.expires, !row?.is_held)
    return row?.is_held ?? false
  })
}

test('drafts hold the files of their author that they link to, until an edit or deletion removes the link', async () => {
  const [one, two] = [await upload(iris, 'Plan für Beete.txt'), await upload(iris)]
  const others = await upload(otto)
  const links = [one, two, others].map((uri) => `[a](${uri})`).join(' ')

  const draft_id = await saveDraft(iris, `${links} ${one}`)
  assert.deepEqual(await listHeld(one, two, others), [true, true, false])
  await iris.drafts.edit({ draft_id, draft: draftOf(`see ${world.nodes.a.url}${encodeURI(one)}`) })
  assert.deepEqual(await listHeld(one, two), [true, false])
  await iris.drafts.edit({ draft_id, draft: draftOf('Nothing.') })
  assert.deepEqual(await listHeld(one, two), [false, false])
  await iris.drafts.edit({ draft_id, draft: draftOf(links) })
  const second = await saveDraft(iris, links)
  await iris.drafts.remove({ draft_id })
  assert.deepEqual(await listHeld(one, two), [true, true])
  await iris.drafts.remove({ draft_id: second })
  assert.deepEqual(await listHeld(one, two), [false, false])
})

test('scheduled messages hold the files of their sender, until an edit or deletion removes the link', async () => {
  const [one, two] = [await upload(iris), await upload(iris)]
  const scheduled_message_id = await schedule(iris, { to: garden.stream_id, content: `[a](${one})` })
  assert.deepEqual(await listHeld(one, two), [true, false])
  await iris.scheduledMessages.edit({ scheduled_message_id, content: `[a](${two})` })
  assert.deepEqual(await listHeld(one, two), [false, true])
  await iris.scheduledMessages.remove({ scheduled_message_id })
  assert.deepEqual(await listHeld(one, two), [false, false])
})

test('a draft is stored without a hold if its file is deleted while it is saved', async () => {
  const uri = await upload(iris)
  await using other = await connect()
  await other.query('begin')
  await other.query('select from upload where path_id = $1 for update', [pathOf(uri)])
  await other.query('delete from upload where path_id = $1', [pathOf(uri)])

  const saving = saveDraft(iris, `[a](${uri})`)
  await eventually(() => isWaiting())
  await other.query('commit')

  assert.ok(await saving)
  assert.equal(await statusOf(world, iris, uri), 404)
})

test('a file stays if a draft that links to it is saved while its last message is deleted', async () => {
  const uri = await upload(iris)
  const message_id = await sendToStream(iris, garden, 'roses', `[a](${uri})`)
  const [row] = await query<{ id: string }>('select id from upload where path_id = $1', [pathOf(uri)])
  await using other = await connect()
  await other.query('begin')
  await other.query('select from upload where id = $1 for no key update', [row?.id])
  const insert = `insert into draft (organization_id, user_id, type, recipients, topic, content, edited_at)
    values ($1, $2, '', '{}', '', $3, 1)`
  await other.query(insert, [world.organization_id, iris.user_id, `[a](${uri})`])

  const removing = iris.messages.remove({ message_id })
  await eventually(() => isWaiting())
  await other.query('commit')
  await removing

  assert.equal(await statusOf(world, iris, uri), 200)
  assert.deepEqual(await listHeld(uri), [true])
})

test('expiry stays fast with many files and long drafts', async () => {
  const text = '/user_uploads/1/aa/no-such-file-of-anyone-here/x '.repeat(200)
  for (let count = 0; count < 10; count++)
    await iris.drafts.create({ drafts: Array.from({ length: 9 }, () => draftOf(text)) })
  await query(
    `insert into upload (organization_id, owner_id, path_id, file_name, size, content_type, sha256, unclaimed_since)
     select $1, $2, '1/aa/' || md5(n::text) || '/a.txt', 'a.txt', 1, 'text/plain', '', now() - interval '1 day'
     from generate_series(1, 3000) as n`,
    [world.organization_id, iris.user_id],
  )
  await using stopwatch = startStopwatch(world.database)
  await expireUploads.run(world.nodes.a.app, {})
  const message_id = await sendToStream(iris, garden, 'roses', `[a](${await upload(iris)})`)
  await iris.messages.remove({ message_id })

  // Searching all drafts for each file would take half a minute.
  assert.ok(stopwatch.elapsedMs() < 5_000, `${stopwatch.elapsedMs()} ms`)
})

test('a failure to remove the files of one organization does not stop expiry in others', async () => {
  const { owner, organization_id } = await world.addOrganization('orchard')
  await upload(iris)
  await upload(owner)
  const expired = "update upload set unclaimed_since = now() - interval '8 days' where organization_id = $1"
  for (const id of [world.organization_id, organization_id]) await query(expired, [id])
  await query(`create function refuse() returns trigger language plpgsql as $$
    begin if old.organization_id = ${world.organization_id} then raise 'refused'; end if; return old; end $$`)
  await query('create trigger refuse before delete on upload for each row execute function refuse()')

  await assert.rejects(expireUploads.run(world.nodes.a.app, {}), /failed for 1 of 2 organizations: refused/)

  assert.deepEqual((await owner.uploads.list()).attachments, [])
  await query('drop function refuse cascade')
  await expireUploads.run(world.nodes.a.app, {})
})

test('drafts and scheduled messages that hold files log no server errors', () => {
  assert.deepEqual(world.log.entries(50), [])
})

async function connect(): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client(world.database.url)
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}

const isWaiting = async () =>
  (
    await query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
  ).length > 0
