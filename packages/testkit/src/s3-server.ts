import { execFile, execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Config } from '@oxbow/server'
import { AwsClient } from 'aws4fetch'
import { freePort } from './free-port.ts'
import { atTestProcessEnd, mayShare } from './test-process.ts'

const script = join(import.meta.dirname, '..', '..', '..', 'scripts', 'start-s3.sh')

/** The processes of the server: the proxy implements S3, the others store objects and lists of objects. */
type S3Process = 'proxy' | 'object' | 'container' | 'account'

export type S3Config = Pick<Config, 's3_endpoint' | 's3_bucket' | 's3_access_key' | 's3_secret_key'>

export interface S3Server {
  readonly endpoint: string
  readonly port: number
  /** Creates an empty bucket, and returns the settings that select it. */
  createBucket(): Promise<S3Config>
  /** Kills processes of the server immediately, by default all. */
  kill(...names: S3Process[]): void
  /** Starts the processes that were killed. */
  start(): Promise<void>
}

let shared: Promise<S3Server> | undefined

/**
 * Returns the S3 server of this test process. It is started on first use, stopped when the process
 * ends, and shared by test files. A test that kills its processes must start them again.
 */
export function startS3Server(): Promise<S3Server> {
  shared ??= startServer()
  return shared
}

async function startServer(): Promise<S3Server> {
  const directory = mkdtempSync(join(tmpdir(), 'oxbow-s3-'))
  const port = await freePort()
  const endpoint = `http://127.0.0.1:${port}`
  const start = async () => {
    await promisify(execFile)('bash', [script, directory, String(port)])
  }
  const stop = () => {
    execFileSync('bash', [script, '--stop', directory], { stdio: 'ignore', timeout: 30_000 })
    rmSync(directory, { recursive: true, force: true })
  }
  process.once('exit', stop)
  if (mayShare())
    atTestProcessEnd('the S3 server', async () => {
      process.off('exit', stop)
      stop()
    })
  await start()
  const owner = new AwsClient({ ...credentials, service: 's3', region: 'us-east-1', retries: 0 })
  return {
    endpoint,
    port,
    start,
    async createBucket() {
      const bucket = `bucket-${randomUUID()}`
      const response = await owner.fetch(`${endpoint}/${bucket}`, { method: 'PUT' })
      if (!response.ok) throw new Error(`the S3 server answered ${response.status}: ${await response.text()}`)
      const { accessKeyId: s3_access_key, secretAccessKey: s3_secret_key } = credentials
      return { s3_endpoint: endpoint, s3_bucket: bucket, s3_access_key, s3_secret_key }
    },
    kill(...names) {
      const killed = names.length > 0 ? names : (['proxy', 'object', 'container', 'account'] as const)
      for (const name of killed) killNow(Number(readFileSync(join(directory, `${name}.pid`), 'utf8')))
    },
  }
}

function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    // The process was already killed.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Returns the environment variables that select a bucket, for a node that runs as a process. */
export function s3Environment(bucket: S3Config): Record<string, string> {
  return Object.fromEntries(
    Object.entries(bucket).map(([name, value]) => [`OXBOW_${name.toUpperCase()}`, String(value)]),
  )
}

const credentials = { accessKeyId: 'test:tester', secretAccessKey: 'testing' }
