import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { HostedCommand } from './command-host.ts'

export interface CommandEnvironment {
  env: NodeJS.ProcessEnv
}

export interface Finished {
  status: number | null
  stdout: string
  stderr: string
}

/** The bundle with the host, which only the gate has; the long lane starts a process for each command. */
const bundle = process.env.OXBOW_TEST_PROGRAM

/** Variables that a command reads only when it runs. Others may affect how a process starts. */
const hostedVariables = /^(PATH|USER|HOME|DATABASE_URL|OXBOW_(?!INTEGRATIONS_DIR)\w+)$/

/** Commands that run until they are stopped, or set up the process in which they run. */
const unhostedCommands = /^(serve|try)\b/

/** A word of the name of a command. Options, paths and addresses follow the name. */
const nameWord = /^[a-z]+(-[a-z]+)*$/

/** Commands that ran in a process of their own, such as `user create`. */
const startedCommands = new Set<string>()

interface Host {
  child: ChildProcess
  /** Is rejected when the process ends. */
  ended: Promise<never>
}

let host: Host | undefined
let isBusy = false

/**
 * Returns whether a command may run in the host. The first run of each command has a process of its
 * own, to show that it ends.
 */
export function canHost({ env }: CommandEnvironment, args: readonly string[]): boolean {
  const name = args
    .slice(0, 2)
    .filter((word) => nameWord.test(word))
    .join(' ')
  const isRepeated = startedCommands.has(name)
  startedCommands.add(name)
  return (
    bundle !== undefined &&
    isRepeated &&
    !isBusy &&
    !unhostedCommands.test(name) &&
    Object.keys(env).every((variable) => hostedVariables.test(variable))
  )
}

/** Runs a command in a process that is kept for the next one. */
export async function runHosted(
  { env }: CommandEnvironment,
  input: string,
  args: readonly string[],
): Promise<Finished> {
  isBusy = true
  host ??= startHost()
  const { child, ended } = host
  const end = `end of output ${randomUUID()}`
  const command: HostedCommand = { env, args, input, end }
  const finished = Promise.all([
    readUntil(child.stdout as NodeJS.ReadableStream, end),
    readUntil(child.stderr as NodeJS.ReadableStream, end),
    new Promise<number>((resolve) => child.once('message', (status) => resolve(Number(status)))),
  ])
  child.send(command)
  try {
    const [stdout, stderr, status] = await Promise.race([finished, ended])
    return { status, stdout, stderr }
  } finally {
    isBusy = false
  }
}

/** Starts the host. It ends with the test process, whose end closes its channel. */
function startHost(): Host {
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, [join(String(bundle), '..', 'command-host.mjs')], {
    env: { PATH, HOME },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  child.stdout?.setEncoding('utf8')
  child.stderr?.setEncoding('utf8')
  const ended = new Promise<never>((_, reject) => {
    child.once('error', reject)
    child.once('exit', (status, signal) => {
      host = undefined
      reject(new Error(`the host of commands ended with ${status ?? signal}`))
    })
  })
  ended.catch(() => {})
  return { child, ended }
}

/** Collects output up to the line that marks its end. */
function readUntil(output: NodeJS.ReadableStream, end: string): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    output.on('data', function read(chunk: string) {
      text += chunk
      const length = text.indexOf(end)
      if (length === -1) return
      output.off('data', read)
      resolve(text.slice(0, length))
    })
  })
}
