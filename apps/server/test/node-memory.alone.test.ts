import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import {
  downloadChunks,
  repeatChunk,
  s3Environment,
  startNodeProcess,
  startS3Server,
  startWorld,
  uploadChunks,
} from '@oxbow/testkit'
import { bySize } from '@oxbow/testkit/size'

/** Sizes in megabytes. The tests' object store takes a second of processor time for ten of them. */
const sizes = bySize({
  gate: { directory: { uploaded: 200, downloaded: 30 }, s3: { uploaded: 10, downloaded: 4 } },
  long: { directory: { uploaded: 1_000, downloaded: 200 }, s3: { uploaded: 1_000, downloaded: 100 } },
})
const maxGrowth = 40_000_000
const concurrentDownloads = 10

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const iris = await world.person('iris')

async function measureGrowth(env: Record<string, string>, megabytes: (typeof sizes)['s3']): Promise<number> {
  await using node = await startNodeProcess({
    database_url: world.database.url,
    env: { OXBOW_MAX_UPLOAD_MIB: '2000', OXBOW_FILES_DIR: world.files_dir, ...env },
  })
  const upload = async (size: number): Promise<string> => {
    const { uri, text } = await uploadChunks(node.url, iris, repeatChunk(size))
    return uri ?? assert.fail(text)
  }
  const download = (uri: string) => downloadChunks(node.url, iris, uri)
  const readRss = () =>
    1_024 * Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${node.pid}/status`, 'utf8'))?.[1])

  // Uploads once before the measurement, because the first use loads and compiles code.
  const uri = await upload(megabytes.downloaded)
  await download(uri)
  await setTimeout(1_000)
  const idle = readRss()
  let peak = idle
  const timer = setInterval(() => {
    peak = Math.max(peak, readRss())
  }, 10)
  const downloads = Array.from({ length: concurrentDownloads }, () => download(uri))
  await Promise.all([upload(megabytes.uploaded), ...downloads])
  clearInterval(timer)
  return peak - idle
}

for (const kind of ['directory', 's3'] as const) {
  const { uploaded, downloaded } = sizes[kind]
  test(`${kind}: an upload of ${uploaded} MB and ten concurrent downloads of ${downloaded} MB take a node less than 40 MB`, async (t) => {
    const bucket = kind === 's3' ? await (await startS3Server()).createBucket() : undefined
    const growth = await measureGrowth(bucket ? s3Environment(bucket) : {}, sizes[kind])
    t.diagnostic(`${(growth / 1e6).toFixed(1)} MB above idle`)
    assert.ok(growth < maxGrowth, `${growth} bytes`)
  })
}
