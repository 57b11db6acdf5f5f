import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { basic, s3Environment, startNodeProcess, startS3Server, startWorld } from '@oxbow/testkit'
import { median, print, printTable } from '../figures.ts'

const rounds = 5
/** Sizes of the files in megabytes. The tests' object store is slow, so its files are smaller. */
const sizes = { disk: 200, s3: 60 }
const wantedRatio = 0.6

/** A server that receives a file and serves it again. */
interface Contestant {
  upload(megabytes: number): Promise<void>
  download(): Promise<void>
}

/**
 * Compares uploads and downloads with bare node:http, which writes a file to the same disk, flushes
 * it and reads it, or forwards it in parts to the same object store. Compares first the file store
 * alone, then a whole node. Contestants are measured in turn. Returns the lowest median ratio.
 */
export async function benchFiles(): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'oxbow-bench-files-'))
  await using world = await startWorld({ ownServer: true, config: { files_dir: directory } })
  const bucket = await (await startS3Server()).createBucket()
  const env = { OXBOW_MAX_UPLOAD_MIB: '2000', OXBOW_FILES_DIR: directory }
  const database_url = world.database.url
  await using diskNode = await startNodeProcess({ database_url, env })
  await using s3Node = await startNodeProcess({ database_url, env: { ...env, ...s3Environment(bucket) } })
  const person = await world.person('iris')
  const servers = [
    await startServer('bare', directory),
    await startServer('store', directory),
    await startServer('bare-s3', JSON.stringify(bucket)),
  ] as const
  try {
    const [bare, store, bareS3] = servers
    const lowest = [
      await compare('the store in a directory', sizes.disk, bare, store),
      await compare('a node with a directory', sizes.disk, bare, nodeContestant(diskNode.url, person)),
      await compare('a node with an object store', sizes.s3, bareS3, nodeContestant(s3Node.url, person)),
    ]
    return Math.min(...lowest)
  } finally {
    for (const { child } of servers) child.kill()
    await rm(directory, { recursive: true })
  }
}

async function compare(
  title: string,
  megabytes: number,
  bare: Contestant,
  ours: Contestant,
): Promise<number> {
  const ratios = { upload: [] as number[], download: [] as number[] }
  for (let round = 0; round <= rounds; round++) {
    const measured = { upload: [] as number[], download: [] as number[] }
    for (const kind of ['upload', 'download'] as const) {
      for (const contestant of [bare, ours]) {
        const began = performance.now()
        await contestant[kind](megabytes)
        measured[kind].push((megabytes * 1_000) / (performance.now() - began))
      }
    }
    // The first round is not measured, because Node compiles code in it.
    if (round === 0) continue
    const described = (['upload', 'download'] as const).map((kind) => {
      const [they = 0, we = 0] = measured[kind]
      ratios[kind].push(we / they)
      return `${kind} ${we.toFixed(0)} of ${they.toFixed(0)} MB/s`
    })
    print(`${title}, round ${round}: ${described.join(', ')}`)
  }
  const wanted = `at least ${wantedRatio}`
  printTable(
    (['upload', 'download'] as const).map((kind) => ({
      label: `${title}: ${kind}, ratio to node:http`,
      measured: median(ratios[kind]).toFixed(2),
      wanted,
    })),
  )
  return Math.min(median(ratios.upload), median(ratios.download))
}

/** Starts `serve-files.ts` as a process. */
async function startServer(kind: string, location: string): Promise<Contestant & { child: ChildProcess }> {
  const args = [join(import.meta.dirname, 'serve-files.ts'), kind, location]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const port = await new Promise<number>((resolve) =>
    child.stdout?.once('data', (line) => resolve(Number(line))),
  )
  const url = `http://127.0.0.1:${port}/${kind}`
  return {
    child,
    async upload(megabytes) {
      await exchange(url, { method: 'PUT' }, makeContent(megabytes))
    },
    async download() {
      await exchange(url)
    },
  }
}

function nodeContestant(url: string, person: { email: string; api_key: string }): Contestant {
  const authorization = basic(person)
  // Has the length of a browser's boundary.
  const boundary = '----WebKitFormBoundary7MA4YWxkTrZu0gW7'
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="f"; filename="a.bin"\r\n\r\n`
  const headers = { authorization, 'content-type': `multipart/form-data; boundary=${boundary}` }
  let uri = ''
  return {
    async upload(megabytes) {
      const form = makeContent(megabytes, head, `\r\n--${boundary}--\r\n`)
      const text = await exchange(`${url}/api/v1/user_uploads`, { method: 'POST', headers }, form)
      uri = JSON.parse(text).uri
    },
    async download() {
      await exchange(url + uri, { headers: { authorization } })
    },
  }
}

const chunk = Buffer.alloc(65_536, 'x')

function* makeContent(megabytes: number, head = '', tail = ''): Generator<Buffer> {
  if (head) yield Buffer.from(head)
  for (let sent = 0; sent < megabytes * 1_000_000; sent += chunk.length) yield chunk
  if (tail) yield Buffer.from(tail)
}

/** Makes a request. Returns the text of a short response. */
async function exchange(
  url: string,
  options: { method?: string; headers?: Record<string, string> } = {},
  body: Iterable<Buffer> = [],
): Promise<string> {
  const sent = request(url, options)
  const answered = new Promise<string>((resolve, reject) => {
    sent.once('error', reject)
    sent.once('response', (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`))
      let text = ''
      response.on('data', (data: Buffer) => {
        if (data.length < 1_000) text += data
      })
      response.once('end', () => resolve(text))
      response.once('error', reject)
    })
  })
  await pipeline(Readable.from(body), sent)
  return answered
}
