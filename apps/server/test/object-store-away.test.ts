import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { loadConfig } from '@oxbow/server'
import {
  downloadChunks,
  eventually,
  pngOf,
  repeatChunk,
  request,
  startS3Server,
  startTcpProxy,
  startWorld,
  uploadChunks,
} from '@oxbow/testkit'
import { addEmoji } from '@oxbow/testkit/calls/emoji'
import { bySize } from '@oxbow/testkit/size'
import type { FileStore } from '../src/platform/files/file-store.ts'
import { s3Files } from '../src/platform/files/s3/s3-files.ts'
import { readS3Settings, type S3Settings } from '../src/platform/files/s3/s3-settings.ts'
import { StorageUnavailable } from '../src/platform/files/storage-refusal.ts'

const server = await startS3Server()
const bucket = await server.createBucket()
const network = await startTcpProxy(server.port)
after(() => network[Symbol.asyncDispose]())
const throughNetwork = { ...bucket, s3_endpoint: `http://127.0.0.1:${network.port}` }

const settingsOf = (config: typeof bucket) => readS3Settings(loadConfig(config, {}).config) as S3Settings
const files = s3Files(settingsOf(bucket))
const distantFiles = s3Files(settingsOf(throughNetwork))

async function read(store: FileStore, key: string): Promise<Buffer | undefined> {
  const found = await store.get(key)
  return found && buffer(found.content)
}

const sha256 = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')

/** Yields the content, and waits for `interrupt` once after this many bytes. */
function interrupted(content: Buffer, afterBytes: number, interrupt: () => Promise<void>): Readable {
  const source = async function* () {
    for (let at = 0; at < content.length; at += 250_000) {
      if (at === afterBytes) await interrupt()
      yield content.subarray(at, at + 250_000)
    }
  }
  return Readable.from(source())
}

test('an upload continues after all connections to the object store were closed', async () => {
  const content = randomBytes(6_000_000)
  const breakNetwork = () => network.pointTo(server.port)
  // The connections break while the first part is being sent, and again between two parts.
  const source = async function* () {
    yield content.subarray(0, 5_000_000)
    setTimeout(breakNetwork, 5)
    yield content.subarray(5_000_000, 5_500_000)
    breakNetwork()
    yield content.subarray(5_500_000)
  }
  const { sha256: stored } = await distantFiles.put('broken', Readable.from(source()))
  assert.equal(stored, sha256(content))
  assert.ok(content.equals((await read(files, 'broken')) ?? Buffer.alloc(0)))
})

test('a download continues after all connections to the object store were closed', async () => {
  const content = randomBytes(5_000_000)
  await files.put('continued', content)
  const range = { start: 1_000_000, end: 4_500_000 }
  const found = await distantFiles.get('continued', range)
  assert.ok(found)
  const chunks: Buffer[] = []
  let breaks = 0
  for await (const chunk of found.content) {
    chunks.push(chunk)
    if (chunks.length % 25 === 10 && breaks++ < 3) network.pointTo(server.port)
  }
  assert.ok(breaks > 0)
  assert.ok(content.subarray(range.start, range.end + 1).equals(Buffer.concat(chunks)))
})

test('requests to an object store that does not respond time out', async () => {
  const impatientFiles = s3Files(settingsOf(throughNetwork), { idleMs: 1_500, maxAttempts: 2 })
  await files.put('silent', Buffer.alloc(8_000_000))
  // On a busy machine, the object store may take too long for this store.
  const found = await eventually(() =>
    impatientFiles.get('silent').catch((error) => {
      assert.ok(error instanceof StorageUnavailable, error.stack)
      return undefined
    }),
  )
  network.cut()
  try {
    const requests = [
      impatientFiles.put('silent', Buffer.from('x')),
      impatientFiles.put('silent', Readable.from([Buffer.alloc(6_000_000)])),
      impatientFiles.stat('silent'),
      buffer(found.content),
    ]
    await Promise.all(requests.map((request) => assert.rejects(request, StorageUnavailable)))
  } finally {
    network.pointTo(server.port)
  }
  assert.deepEqual(await files.stat('silent'), { size: 8_000_000 })
})

test('a continued download fails if the file was replaced meanwhile', async () => {
  await files.put('replaced', Buffer.alloc(8_000_000, 'a'))
  const found = await distantFiles.get('replaced')
  await files.put('replaced', Buffer.alloc(8_000_000, 'b'))
  network.pointTo(server.port)
  await assert.rejects(buffer(found?.content as Readable), StorageUnavailable)
})

for (let round = 0; round < bySize({ gate: 1, long: 15 }); round++) {
  test(`kills of the object store during uploads lose no acknowledged file and leave no partial file, round ${round}`, async () => {
    const folder = `killed-${round}`
    await files.put(`${folder}/old`, Buffer.from('old'))
    const attempted = new Map<string, string>()
    const acknowledged = new Set<string>()
    const put = async (key: string, content: Buffer, source: Buffer | Readable): Promise<void> => {
      attempted.set(key, sha256(content))
      await files.put(key, source)
      acknowledged.add(key)
    }
    let isOver = false
    const writers = [0, 1, 2].map(async (writer) => {
      for (let count = 0; !isOver; count++) {
        const content = randomBytes(writer === 0 ? 200_000 : 20_000)
        const source = writer === 1 ? content : Readable.from([content])
        await put(`${folder}/${writer}-${count}`, content, source).catch((error) => {
          assert.ok(error instanceof StorageUnavailable, error.stack)
        })
      }
    })
    const content = randomBytes(6_000_000)
    const kill = async () => {
      await eventually(() => acknowledged.size > 3)
      server.kill(...(round % 2 ? (['object'] as const) : []))
    }
    const uploads = [`${folder}/new`, `${folder}/old`].map((key) =>
      put(key, content, interrupted(content, 5_500_000, kill)),
    )

    const outcomes = await Promise.allSettled(uploads)
    isOver = true
    await Promise.all(writers)
    await server.start()

    for (const outcome of outcomes)
      assert.ok(outcome.status === 'rejected' && outcome.reason instanceof StorageUnavailable)
    assert.equal(String(await read(files, `${folder}/old`)), 'old')
    assert.equal(await files.stat(`${folder}/new`), undefined)
    attempted.delete(`${folder}/old`)
    assert.ok(acknowledged.size > 3, `only ${acknowledged.size} files were acknowledged`)
    for (const [key, digest] of attempted) {
      const stored = await read(files, key)
      if (acknowledged.has(key) || stored) assert.equal(stored && sha256(stored), digest, key)
    }
  })
}

/**
 * Starts a proxy in front of the object store that forwards every request. It replaces the first
 * response to the request that completes an upload by nothing, or by this text with status 200.
 */
async function startForgetfulProxy(replacement: string | undefined) {
  let isReplaced = false
  const proxy = createServer((request, response) => {
    const { method, url, headers } = request
    const isCompletion = method === 'POST' && url?.includes('uploadId=')
    const sent = send(
      { host: '127.0.0.1', port: server.port, method, path: url, headers },
      (storeResponse) => {
        if (!isCompletion || isReplaced) {
          response.writeHead(storeResponse.statusCode ?? 500, storeResponse.headers)
          storeResponse.pipe(response)
          return
        }
        isReplaced = true
        storeResponse.resume().once('end', () => {
          if (replacement === undefined) response.destroy()
          else response.end(replacement)
        })
      },
    )
    request.pipe(sent)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  return {
    files: s3Files(settingsOf({ ...bucket, s3_endpoint: `http://127.0.0.1:${port}` })),
    wasUsed: () => isReplaced,
    [Symbol.dispose]() {
      proxy.close()
      proxy.closeAllConnections()
    },
  }
}

test('an upload whose last response is lost succeeds if the object store has the file', async () => {
  using proxy = await startForgetfulProxy(undefined)
  const content = randomBytes(6_000_000)
  const { sha256: stored } = await proxy.files.put('completed', Readable.from([content]))
  assert.ok(proxy.wasUsed())
  assert.equal(stored, sha256(content))
  assert.ok(content.equals((await read(files, 'completed')) ?? Buffer.alloc(0)))
})

test('an upload fails if the object store completes it with status 200 and an error', async () => {
  using proxy = await startForgetfulProxy('<Error><Code>InternalError</Code></Error>')
  const upload = proxy.files.put('not-completed', Readable.from([randomBytes(6_000_000)]))
  await assert.rejects(
    upload,
    (error) => error instanceof StorageUnavailable && error.code === 'InternalError',
  )
  assert.ok(proxy.wasUsed())
})

test('a process killed during uploads leaves acknowledged files and no partial files', async () => {
  const script = `
    const { s3Files } = await import(${JSON.stringify(import.meta.resolve('../src/platform/files/s3/s3-files.ts'))})
    const { Readable } = await import('node:stream')
    const files = s3Files(${JSON.stringify(settingsOf(bucket))})
    const write = async (writer) => {
      for (let round = 0; ; round++) {
        const key = 'writer/' + process.pid + '-' + writer + '-' + round
        const chunks = Array.from({ length: writer === 0 ? 60 : 1 }, () => Buffer.alloc(100_000, round % 256))
        await files.put(key, Readable.from(chunks))
        process.stdout.write(key + '\\n')
      }
    }
    await Promise.all([0, 1, 2].map(write))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout.on('data', (chunk) => (printed += chunk))
  const ended = new Promise((resolve) => child.once('close', resolve))
  try {
    await eventually(() => printed.split('\n').length > 8)
  } finally {
    child.kill('SIGKILL')
  }
  await ended
  const acknowledged = printed.split('\n').slice(0, -1)

  const listed = new Map<string, number>()
  for await (const { key, size } of files.list('writer/')) listed.set(key, size)
  for (const key of acknowledged) assert.ok(listed.has(key), key)
  for (const [key, size] of listed) {
    const content = await read(files, key)
    assert.equal(size, /-0-\d+$/.test(key) ? 6_000_000 : 100_000)
    assert.ok(content?.equals(Buffer.alloc(size, content[0])), key)
  }
})

test('pictures are stored in the object store, and requests get 503 while it is unavailable', async () => {
  await using world = await startWorld({ config: throughNetwork })
  const { owner } = world
  const iris = await world.person('iris')
  const picture = { name: 'x.png', bytes: pngOf(20, 20) }
  const { avatar_url } = await iris.users.setAvatar({ files: [picture] })
  const { icon_url } = await owner.organizationPictures.setIcon({ files: [picture] })
  const emoji = await addEmoji(iris, 'owl')
  const emojiUrl = `/user_avatars/${world.organization_id}/emoji/images/${emoji}.png`
  const get = (path: string) => request(world.nodes.b.url, { path })
  for (const url of [avatar_url, icon_url, emojiUrl]) {
    const response = await get(url)
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'image/png'], url)
  }
  await iris.users.setAvatar({ files: [picture] })
  const old = `avatars/${world.organization_id}/${iris.user_id}/2-small.png`
  await eventually(async () => (await files.stat(old)) === undefined)

  const key = `emoji/${world.organization_id}/${emoji}.png`
  await world.nodes.a.app.files.put(key, Buffer.alloc(20_000_000, 'x'))
  const download = await fetch(world.nodes.a.url + emojiUrl)
  network.close()
  const upload = () =>
    request(world.nodes.a.url, {
      method: 'POST',
      path: '/api/v1/users/me/avatar',
      credentials: iris,
      files: { 'iris.png': picture.bytes },
    })
  const [refused, , cut] = await Promise.all([
    upload(),
    get(emojiUrl).then(({ status }) => assert.equal(status, 503)),
    download.arrayBuffer().then(
      () => 'whole',
      () => 'failed',
    ),
  ])
  network.pointTo(server.port)

  assert.deepEqual(
    [refused.status, refused.headers.get('retry-after'), refused.body.code],
    [503, '5', 'SERVICE_UNAVAILABLE'],
  )
  assert.equal(cut, 'failed')
  const reasons = world.log.entries().map(({ reason }) => reason)
  assert.ok(reasons.includes('the object store cannot be reached'), JSON.stringify(reasons))
  assert.ok(!world.log.text.includes(String(bucket.s3_secret_key)))
  assert.equal((await upload()).status, 200)
  assert.equal((await get(emojiUrl)).status, 200)
})

test('an upload that the object store does not accept completely is refused with 503 and leaves no file', async () => {
  await using world = await startWorld({ config: throughNetwork })
  const iris = await world.person('iris')
  const { url } = world.nodes.a
  const source = async function* () {
    // The first part is stored, but the second is not.
    yield* repeatChunk(6)
    network.close()
    yield* repeatChunk(6)
  }
  const { status, text } = await uploadChunks(url, iris, source())
  network.pointTo(server.port)

  assert.deepEqual(
    [status, JSON.parse(text).msg],
    [503, 'The server cannot store files right now; try again later'],
  )
  assert.deepEqual((await iris.uploads.list()).attachments, [])
  const { uri = '' } = await uploadChunks(url, iris, repeatChunk(6))
  assert.equal(await downloadChunks(url, iris, uri), 6_029_312)
  assert.deepEqual(world.log.entries(50), [])
})
