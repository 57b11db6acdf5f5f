import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { basic, eventually, pngOf, startS3Server, startWorld } from '@oxbow/testkit'
import { sendPrivately } from '@oxbow/testkit/calls/messages'
import { fetchFile, statusOf, upload } from '@oxbow/testkit/calls/uploads'
import { checkFileStore } from '../src/operators/files.ts'

test('uploads in an object store are served by nodes or by redirects, checked, and removed', async () => {
  const bucket = await (await startS3Server()).createBucket()
  await using world = await startWorld({ config: bucket })
  const [iris, otto] = await world.people('iris', 'otto')
  const bytes = randomBytes(200_000)
  const uri = await upload(iris, 'Plan für Beete.bin', bytes)

  const fullResponse = await fetch(world.nodes.b.url + uri, { headers: { authorization: basic(iris) } })
  assert.ok(bytes.equals(Buffer.from(await fullResponse.arrayBuffer())))
  const part = await fetch(world.nodes.b.url + uri, {
    headers: { authorization: basic(iris), range: 'bytes=1000-1999' },
  })
  assert.equal(part.status, 206)
  assert.ok(bytes.subarray(1_000, 2_000).equals(Buffer.from(await part.arrayBuffer())))

  const { app } = world.nodes.a
  const check = () =>
    checkFileStore(app, async ({ files, referenced, missing }) => {
      const missingFiles = await Array.fromAsync(missing)
      return [files, referenced, missingFiles.length]
    })
  assert.deepEqual(await check(), [1, 1, 0])
  const message_id = await sendPrivately(iris, [otto], `[plan](${uri})`)
  assert.equal(await statusOf(world, otto, uri), 200)
  await world.owner.users.me()
  await world.database.query('update organization set allow_message_deleting = true')
  await iris.messages.remove({ message_id })
  assert.equal(await statusOf(world, otto, uri), 404)
  await eventually(async () => (await check())[0] === 0)
  assert.deepEqual(await check(), [0, 0, 0])
})

test('thumbnails in an object store are generated, regenerated if missing, verified and removed', async () => {
  const bucket = await (await startS3Server()).createBucket()
  await using world = await startWorld({ config: { ...bucket, files_redirect: true } })
  const iris = await world.person('iris')
  const uri = await upload(iris, 'rose.png', pngOf(40, 30))
  const thumbnail = `${uri.replace('/user_uploads/', '/user_uploads/thumbnail/')}/840x560.webp`
  const fetchThumbnail = async () => {
    const response = await fetch(world.nodes.b.url + thumbnail, { headers: { authorization: basic(iris) } })
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'image/webp'])
    return Buffer.from(await response.arrayBuffer())
  }
  const { app } = world.nodes.a
  const list = () => Array.fromAsync(app.files.list('uploads/'), ({ key }) => key)

  const bytes = await fetchThumbnail()
  const [original, ...derived] = await list()
  assert.deepEqual(derived, [`${original}.840x560.webp`])
  await app.files.remove(derived[0] ?? '')
  assert.deepEqual(await fetchThumbnail(), bytes)
  const missing = await checkFileStore(app, (check) => Array.fromAsync(check.missing))
  assert.deepEqual(missing, [])

  const attachment_id = (await iris.uploads.list()).attachments[0]?.id as never
  await iris.uploads.remove({ attachment_id })
  await eventually(async () => (await list()).length === 0)
})

test('with OXBOW_FILES_REDIRECT, clients get the bytes from the object store by a link that only they receive', async () => {
  const bucket = await (await startS3Server()).createBucket()
  await using world = await startWorld({ config: { ...bucket, files_redirect: true } })
  const [iris, otto] = await world.people('iris', 'otto')
  const uri = await upload(iris, 'page.html', '<script>alert(1)</script>')

  const response = await fetchFile(world, iris, uri)

  assert.equal(response.status, 302)
  assert.equal(response.headers.get('cache-control'), 'private, no-store')
  const location = response.headers.get('location') ?? ''
  assert.ok(location.startsWith(bucket.s3_endpoint ?? ''))
  const direct = await fetch(location)
  assert.equal(await direct.text(), '<script>alert(1)</script>')
  assert.deepEqual(
    [direct.headers.get('content-type'), direct.headers.get('content-disposition')],
    ['application/octet-stream', 'attachment; filename="page.html"'],
  )
  assert.equal(await statusOf(world, otto, uri), 403)
  assert.equal((await fetchFile(world, iris, uri, { method: 'HEAD' })).status, 200)
})
