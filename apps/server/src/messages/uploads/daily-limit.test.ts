import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { OrganizationId } from '@oxbow/contract'
import { eventually, request, startWorld, type UploadResponse, uploadChunks } from '@oxbow/testkit'
import { upload } from '@oxbow/testkit/calls/uploads'
import { sql } from 'kysely'
import { maxFilesPerDay } from './daily-limit.ts'
import { selectRecentUploads } from './queries.ts'

const world = await startWorld({ config: { max_upload_mib: 1, upload_mib_per_day: 1 } })
after(() => world[Symbol.asyncDispose]())
const [iris, otto] = await world.people('iris', 'otto')

const send = (person: typeof iris, size: number) =>
  request(world.nodes.a.url, {
    method: 'POST',
    path: '/api/v1/user_uploads',
    credentials: person,
    files: { 'a.bin': new Uint8Array(size) },
  })

test("uploads beyond an account's daily limit are refused, even if they are concurrent", async () => {
  const responses = await Promise.all(Array.from({ length: 8 }, () => send(iris, 200_000)))

  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 200, 200, 200, 200, 429, 429, 429])
  const refused = responses.find(({ status }) => status === 429)
  assert.equal(refused?.body.code, 'RATE_LIMIT_HIT')
  const wait = Number(refused?.headers.get('retry-after'))
  assert.ok(wait > 86_000 && wait <= 86_400, String(wait))
  // 1 MiB has 1,048,576 bytes.
  assert.equal((await send(iris, 48_577)).status, 429)
  assert.equal((await send(iris, 48_576)).status, 200)
  assert.equal((await send(otto, 200_000)).status, 200)
})

test('files that were deleted or are older than a day do not count towards the limit', async () => {
  assert.equal((await send(iris, 200_000)).status, 429)
  const { attachments } = await iris.uploads.list()
  await iris.uploads.remove({
    attachment_id: attachments.find(({ size }) => size === 200_000)?.id ?? assert.fail(),
  })
  assert.equal((await send(iris, 200_000)).status, 200)
  assert.equal((await send(iris, 200_000)).status, 429)

  await world.database.query(`update upload set created_at = created_at - interval '1 day'`)
  assert.equal((await send(iris, 1_048_576)).status, 200)
})

test('a file of unknown length is refused as soon as it exceeds the daily limit', async () => {
  const eva = await world.person('eva')
  assert.equal((await send(eva, 900_000)).status, 200)
  const ended = Promise.withResolvers<void>()
  const chunks = async function* () {
    yield new Uint8Array(200_000)
    await ended.promise
  }
  let response: UploadResponse | undefined
  const sending = uploadChunks(world.nodes.a.url, eva, chunks()).then((result) => {
    response = result
  })

  await eventually(() => response !== undefined).finally(ended.resolve)
  await sending

  assert.deepEqual([response?.status, JSON.parse(response?.text ?? '').code], [429, 'RATE_LIMIT_HIT'])
  await eventually(async () => (await world.database.query('select from unfinished_upload')).length === 0)
})

test('the number of files per day is limited too', async () => {
  const ada = await world.person('ada')
  await upload(ada)
  await world.database.query(
    `insert into upload (organization_id, owner_id, path_id, file_name, size, content_type, sha256)
     select organization_id, owner_id, path_id || n, file_name, 0, content_type, sha256
     from upload, generate_series(1, $2::int) n where owner_id = $1`,
    [ada.user_id, maxFilesPerDay - 1],
  )
  assert.equal((await send(ada, 1)).status, 429)

  // Older uploads are not read.
  await world.database.query(`update upload set created_at = created_at - interval '1 day'`)
  await world.database.query('analyze upload')
  const account = { organization_id: world.organization_id as OrganizationId, owner_id: ada.user_id }
  const { rows } = await sql`
    explain (analyze, format json) ${selectRecentUploads({ ...account, limit: maxFilesPerDay })}`.execute(
    world.nodes.a.app.db,
  )
  const plan = JSON.stringify(rows)
  assert.ok(plan.includes('"Index Name":"upload_recent"') && !plan.includes('Rows Removed by Filter'), plan)
})
