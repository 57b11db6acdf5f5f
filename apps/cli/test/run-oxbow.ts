import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { eventually } from '@oxbow/testkit'

const bin = join(import.meta.dirname, '..', 'bin', 'oxbow.js')

export interface Surroundings {
  env: NodeJS.ProcessEnv
}

/** What a person on a fresh machine has: a database's address and nothing else. */
export function surroundings(DATABASE_URL: string): Surroundings {
  const { PATH, USER, HOME } = process.env
  const OXBOW_DATA_DIR = mkdtempSync(join(tmpdir(), 'oxbow-cli-'))
  return { env: { PATH, USER, HOME, DATABASE_URL, OXBOW_DATA_DIR } }
}

export interface Finished {
  status: number | null
  stdout: string
  stderr: string
}

export async function runOxbow({ env }: Surroundings, ...args: string[]): Promise<Finished> {
  const child = spawn(process.execPath, [bin, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = new Promise<number | null>((resolve) => child.on('exit', resolve))
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), exited])
  return { status, stdout, stderr }
}

export interface Served extends AsyncDisposable {
  url: string
  process: ChildProcess
  output(): string
  exited: Promise<number | null>
}

export async function serveOxbow({ env }: Surroundings, ...args: string[]): Promise<Served> {
  const child = spawn(process.execPath, [bin, 'serve', '--port', '0', ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  const exited = new Promise<number | null>((resolve) => child.on('exit', resolve))
  const url = await eventually(() => {
    if (child.exitCode !== null) throw new Error(`it did not start: ${output}`)
    return /answers at (http:\S+)/.exec(output)?.[1]
  }, 20_000)
  return {
    url,
    process: child,
    output: () => output,
    exited,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
