import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { loadConfig } from '@oxbow/server'
import { startS3Server } from '@oxbow/testkit'
import { bySize } from '@oxbow/testkit/size'
import { readS3Settings } from '../src/platform/files/s3/s3-settings.ts'

/**
 * Sizes of the upload and of each of ten downloads, in megabytes. The tests' object store takes a
 * second of processor time for ten megabytes.
 */
const sizes = bySize({
  gate: { s3: { uploaded: 30, downloaded: 5 }, directory: { uploaded: 100, downloaded: 20 } },
  long: { s3: { uploaded: 1_000, downloaded: 200 }, directory: { uploaded: 1_000, downloaded: 200 } },
})
type Sizes = (typeof sizes)['s3']
const maxUploadGrowth = 10_000_000
const maxDownloadGrowth = 40_000_000

/**
 * Runs uploads and downloads in a separate process. Returns how far its memory grew above idle, in
 * bytes.
 */
async function measureGrowth(
  makeStore: string,
  { uploaded, downloaded }: Sizes,
): Promise<{ upload: number; downloads: number }> {
  const script = `
    const { Readable, Writable } = await import('node:stream')
    const { pipeline } = await import('node:stream/promises')
    ${makeStore}
    const chunk = Buffer.alloc(65_536, 'x')
    const content = (bytes) => Readable.from((function* () {
      for (let sent = 0; sent < bytes; sent += chunk.length) yield chunk
    })())
    const upload = (key, megabytes) => files.put(key, content(megabytes * 1_000_000))
    const download = async () => {
      const { content } = await files.get('downloaded')
      let size = 0
      const take = (chunk, _, done) => { size += chunk.length; done() }
      await pipeline(content, new Writable({ write: take }))
      return size
    }
    const downloads = () => Promise.all(Array.from({ length: 10 }, download))
    const measure = async (work) => {
      gc(); gc()
      const idle = process.memoryUsage.rss()
      let peak = idle
      const timer = setInterval(() => { peak = Math.max(peak, process.memoryUsage.rss()) }, 5)
      await work()
      clearInterval(timer)
      return peak - idle
    }
    // Uploads once before the measurement, because the first use loads and compiles code.
    await upload('downloaded', ${downloaded})
    await download()
    const uploadGrowth = await measure(() => upload('uploaded', ${uploaded}))
    const downloadGrowth = await measure(downloads)
    console.log(JSON.stringify({ upload: uploadGrowth, downloads: downloadGrowth }))`
  const args = ['--expose-gc', '--input-type=module', '-e', script]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return JSON.parse(stdout)
}

async function expectLittleGrowth(makeStore: string, megabytes: Sizes): Promise<void> {
  const growth = await measureGrowth(makeStore, megabytes)
  assert.ok(growth.upload < maxUploadGrowth, `an upload took ${growth.upload} bytes`)
  assert.ok(growth.downloads < maxDownloadGrowth, `ten downloads took ${growth.downloads} bytes`)
}

const importOf = (name: string, path: string) =>
  `const { ${name} } = await import(${JSON.stringify(import.meta.resolve(path))})`

test(`the object store needs little memory for an upload of ${sizes.s3.uploaded} MB and ten downloads`, async () => {
  const server = await startS3Server()
  const settings = readS3Settings(loadConfig(await server.createBucket(), {}).config)
  await expectLittleGrowth(
    `
    ${importOf('s3Files', '../src/platform/files/s3/s3-files.ts')}
    const files = s3Files(${JSON.stringify(settings)})`,
    sizes.s3,
  )
})

test(`the directory needs little memory for an upload of ${sizes.directory.uploaded} MB and ten downloads`, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'oxbow-files-'))
  try {
    await expectLittleGrowth(
      `
      ${importOf('diskFiles', '../src/platform/files/disk-files.ts')}
      const files = diskFiles(${JSON.stringify(directory)})`,
      sizes.directory,
    )
  } finally {
    await rm(directory, { recursive: true })
  }
})
