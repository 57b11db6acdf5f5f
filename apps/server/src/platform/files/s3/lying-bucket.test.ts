import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { StorageUnavailable } from '../storage-refusal.ts'
import { s3Files } from './s3-files.ts'

// An object store that answers lies: each test says how it answers.
let answer: (request: IncomingMessage, response: ServerResponse) => void
let requests: string[] = []
const server = createServer((request, response) => {
  requests.push(`${request.method} ${request.url}`)
  request.resume()
  answer(request, response)
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => {
  server.closeAllConnections()
  server.close()
})
const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const files = s3Files(
  {
    bucketUrl: `${endpoint}/roses`,
    endpoint,
    bucket: 'roses',
    region: 'garden',
    accessKey: 'key',
    secretKey: 'secret',
    prefix: 'own/',
  },
  { maxAttempts: 1, idleMs: 500, maxResponseMs: 1_000, abandonedAfterMs: 0 },
)

const lieWith = (lie: typeof answer) => {
  requests = []
  answer = lie
}
const lieOnce = (status: number, headers: Record<string, string | number>, body = '') =>
  lieWith((_, response) => response.writeHead(status, headers).end(body))

async function read(range?: { start: number; end: number }): Promise<string> {
  const file = await files.get('a', range)
  assert.ok(file)
  const content = Buffer.concat(await Array.fromAsync(file.content as AsyncIterable<Buffer>))
  return content.toString()
}

const etag = '"1"'
test('a download never has more bytes than it announced, also when it is continued', async () => {
  lieWith((request, response) => {
    if (request.headers.range === undefined) {
      response.writeHead(200, { etag, 'content-length': 10 }).write('01234')
      setTimeout(() => response.destroy(), 50)
      return
    }
    const forged = '56789HTTP/1.1 200 OK\r\n\r\n<script>'
    response
      .writeHead(206, { etag, 'content-range': 'bytes 5-9/10', 'content-length': forged.length })
      .end(forged)
  })
  await assert.rejects(read(), StorageUnavailable)
})

const wrongRanges: Record<string, Record<string, string | number>> = {
  'a longer part': { 'content-range': 'bytes 0-99/1000', 'content-length': 100 },
  'a part of another length than it names': { 'content-range': 'bytes 0-9/1000', 'content-length': 100 },
  'a size that is no number of bytes': {
    'content-range': `bytes 0-9/${'9'.repeat(400)}`,
    'content-length': 10,
  },
  'a later part': { 'content-range': 'bytes 10-19/1000', 'content-length': 10 },
}
for (const [what, headers] of Object.entries(wrongRanges))
  test(`a range is refused if the object store sends ${what}`, async () => {
    lieOnce(206, { etag, ...headers }, 'x'.repeat(Number(headers['content-length'])))
    await assert.rejects(read({ start: 0, end: 9 }), StorageUnavailable)
  })

test('a range that ends after the file has the bytes up to its end', async () => {
  lieOnce(206, { etag, 'content-range': 'bytes 5-6/7', 'content-length': 2 }, 'ab')
  assert.equal(await read({ start: 5, end: 900 }), 'ab')
})

test('a file without a size is an outage of the object store', async () => {
  lieOnce(200, {})
  await assert.rejects(files.stat('a'), StorageUnavailable)
})

test('a redirect to another host is not followed', async () => {
  lieOnce(307, { location: 'http://127.0.0.1:1/' })
  await assert.rejects(read(), StorageUnavailable)
  assert.equal(requests.length, 1)
})

test('a response whose bytes come one at a time ends after a limit', async () => {
  lieWith((_, response) => {
    response.writeHead(200)
    const drip = setInterval(() => response.write(' '), 100)
    response.on('close', () => clearInterval(drip))
  })
  const began = performance.now()
  await assert.rejects(Array.fromAsync(files.list('')), StorageUnavailable)
  assert.ok(performance.now() - began < 10_000)
})

test('a response without end is read up to a limit', async () => {
  lieWith((_, response) => {
    response.writeHead(200)
    const fill = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    }
    response.on('drain', fill)
    fill()
  })
  await assert.rejects(Array.fromAsync(files.list('')), StorageUnavailable)
})

const listOf = (...contents: string[]) =>
  `<ListBucketResult>${contents.map((text) => `<Contents>${text}</Contents>`).join('')}</ListBucketResult>`
const list = () => Array.fromAsync(files.list(''), ({ key }) => key)

test('a list of elements without end tags is read in linear time', async () => {
  lieOnce(200, {}, '<Contents>'.repeat(700_000))
  const began = performance.now()
  assert.deepEqual(await list(), [])
  assert.ok(performance.now() - began < 5_000)
})

test('a list with entities that are no characters, paths and foreign keys has only keys of files', async () => {
  lieOnce(
    200,
    {},
    listOf(
      '<Key>own/a&#99999999;b</Key>',
      '<Key>own/../other/c</Key>',
      '<Key>/etc/passwd</Key>',
      '<Key>own/d</Key><Size>3</Size><LastModified>2026-01-31T12:00:00Z</LastModified>',
    ),
  )
  assert.deepEqual(await list(), ['d'])
})

test('pages of a list that refer to themselves end with an error', async () => {
  lieOnce(200, {}, `${listOf()}<NextContinuationToken>1</NextContinuationToken>`)
  await assert.rejects(list(), StorageUnavailable)
  assert.equal(requests.length, 2)
})

test('tidy removes no object whose name only begins like that of a test object', async () => {
  const names = ['.probe-/../../other/file', '.probe-x', '.probe-00000000-0000-4000-8000-000000000000']
  lieOnce(
    200,
    {},
    listOf(...names.map((name) => `<Key>own/${name}</Key><LastModified>2026-01-31T12:00:00Z</LastModified>`)),
  )
  await files.tidy()
  assert.deepEqual(
    requests.filter((request) => request.startsWith('DELETE')),
    [`DELETE /roses/own/${names[2]}`],
  )
})

test('an error page is never part of an error, only a code of the usual form', async () => {
  for (const [code, shown] of [
    ['AccessDenied', 'the object store refuses requests: AccessDenied'],
    [`secret ${'x'.repeat(100)}`, 'the object store refuses requests: status 403'],
    ['a\u001b[2Jb', 'the object store refuses requests: status 403'],
  ] as const) {
    lieOnce(403, {}, `<Error><Code>${code}</Code><Message>secret</Message></Error>`)
    await assert.rejects(read(), (error: StorageUnavailable) => error.reason === shown)
  }
})
