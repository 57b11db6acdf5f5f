import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { eventually, oxbowProgram } from '@oxbow/testkit'
import { type CommandEnvironment, canHost, type Finished, runHosted } from './hosted-commands.ts'

export type { CommandEnvironment, Finished } from './hosted-commands.ts'

/** The program that a package manager installs, for tests of the memory of a node. */
export const installedProgram = join(import.meta.dirname, '..', 'bin', 'oxbow.js')

/** Returns the environment of a command on a new machine, where only the URL of a database is set. */
export function environmentFor(DATABASE_URL: string): CommandEnvironment {
  const { PATH, USER, HOME } = process.env
  const OXBOW_DATA_DIR = mkdtempSync(join(tmpdir(), 'oxbow-cli-'))
  return { env: { PATH, USER, HOME, DATABASE_URL, OXBOW_DATA_DIR } }
}

/**
 * Runs a command to its end. In the gate, a command that already ran in this test process runs in a
 * process that several commands share.
 */
export async function runOxbow(environment: CommandEnvironment, ...args: string[]): Promise<Finished> {
  return runOxbowWithInput(environment, '', ...args)
}

/** Like `runOxbow`, but passes a text on standard input. */
export async function runOxbowWithInput(
  environment: CommandEnvironment,
  input: string,
  ...args: string[]
): Promise<Finished> {
  if (canHost(environment, args)) return runHosted(environment, input, args)
  const { env } = environment
  const child = spawn(process.execPath, [oxbowProgram(), ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] })
  // A command that does not read its input may exit before it is written.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const exited = new Promise<number | null>((resolve) => child.on('exit', resolve))
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), exited])
  return { status, stdout, stderr }
}

/** Runs oxbow at a terminal, and types each answer after its question. Returns all output as `shown`. */
export async function typeToOxbow(
  { env }: CommandEnvironment,
  dialogue: readonly [question: string, typed: string][],
  ...args: string[]
): Promise<{ status: number | null; shown: string }> {
  const command = [process.execPath, oxbowProgram(), ...args].map((word) => `'${word}'`).join(' ')
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { ...env, SHELL: '/bin/sh' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let shown = ''
  child.stdout.on('data', (chunk) => (shown += chunk))
  const exited = new Promise<number | null>((resolve) => child.on('close', resolve))
  let read = 0
  for (const [question, typed] of dialogue) {
    read = await eventually(() => {
      const at = shown.indexOf(question, read)
      return at === -1 ? undefined : at + question.length
    })
    child.stdin.write(`${typed}\r`)
  }
  return { status: await exited, shown }
}

export interface Served extends AsyncDisposable {
  url: string
  process: ChildProcess
  output(): string
  exited: Promise<number | null>
}

export async function serveOxbow(
  { env }: CommandEnvironment,
  { program = oxbowProgram() }: { program?: string } = {},
): Promise<Served> {
  const child = spawn(process.execPath, [program, 'serve', '--port', '0'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  // The last output may be read after the process has exited.
  const exited = new Promise<number | null>((resolve) => child.on('close', resolve))
  const url = await eventually(() => {
    if (child.exitCode !== null) throw new Error(`it did not start: ${output}`)
    return /running at (http:\S+)/.exec(output)?.[1]
  })
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
