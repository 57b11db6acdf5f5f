import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { eventually, killChild, oxbowProgram, startChild } from '@oxbow/testkit'
import type { CommandEnvironment } from './run-oxbow.ts'

/** Limit for the start of a process, which takes a second on an idle machine. */
export const startMs = 120_000

export interface ServedProcesses extends AsyncDisposable {
  url: string
  pid: number
  output(): string
  exited: Promise<number | null>
  /** Returns the ids of the processes that serve requests, including those that are starting or stopping. */
  pids(): number[]
}

/** Runs `oxbow serve --processes` until the end of the test. */
export async function serveProcesses(
  { env }: CommandEnvironment,
  processes: number,
): Promise<ServedProcesses> {
  const child = startChild(
    process.execPath,
    [oxbowProgram(), 'serve', '--port', '0', '--processes', String(processes)],
    { env, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let output = ''
  child.stdout?.on('data', (chunk) => (output += chunk))
  child.stderr?.on('data', (chunk) => (output += chunk))
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const url = await eventually(() => {
    if (child.exitCode !== null) throw new Error(`it did not start: ${output}`)
    return /running at (http:\S+)/.exec(output)?.[1]?.replace('localhost', '127.0.0.1')
  }, startMs)
  const pid = child.pid ?? 0
  return {
    url,
    pid,
    output: () => output,
    exited,
    pids: () =>
      readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
    [Symbol.asyncDispose]: () => killChild(child),
  }
}

export interface Answer {
  /** The HTTP status, or the code of the error that ended the request. */
  outcome: number | string
  body: string
}

/**
 * Sends a GET. Never rejects. With `agent: false` it uses a new connection, whose local port is passed to
 * `onConnected`.
 */
export function ask(
  url: string,
  headers: Record<string, string>,
  agent: Agent | false,
  onConnected?: (port: number) => void,
): Promise<Answer> {
  return new Promise((resolve) => {
    const sent = get(url, { headers, agent }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (chunk) => (body += chunk))
      response.on('end', () => resolve({ outcome: response.statusCode ?? 0, body }))
      response.on('error', (error: NodeJS.ErrnoException) =>
        resolve({ outcome: error.code ?? 'error', body }),
      )
    })
    sent.on('error', (error: NodeJS.ErrnoException) => resolve({ outcome: error.code ?? 'error', body: '' }))
    if (!onConnected) return
    sent.on('socket', (socket) => socket.once('connect', () => onConnected(socket.localPort as number)))
  })
}

/** Returns which of these processes has accepted the connection from this local port; undefined if none has. */
export function findProcessOf(clientPort: number, url: string, pids: readonly number[]): number | undefined {
  const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, '0')
  const [local, remote] = [hex(Number(new URL(url).port)), hex(clientPort)]
  const line = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((each) => each.trim().split(/\s+/))
    .find((fields) => fields[1]?.endsWith(`:${local}`) && fields[2]?.endsWith(`:${remote}`))
  const socket = `socket:[${line?.[9]}]`
  return pids.find((pid) =>
    readdirSync(`/proc/${pid}/fd`).some((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`) === socket
      } catch {
        return false
      }
    }),
  )
}

/** Repeats a GET on several connections until it is stopped; half of the requests use a new connection. */
export function startLoad(url: string, headers: Record<string, string>, connections: number) {
  const outcomes = new Map<number | string, number>()
  let isStopped = false
  const loops = Array.from({ length: connections }, async (_, index) => {
    const agent = index % 2 === 0 ? new Agent({ keepAlive: true, maxSockets: 1 }) : false
    while (!isStopped) {
      const { outcome } = await ask(url, headers, agent)
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      // Leaves processor time for the processes that start meanwhile.
      await setTimeout(5)
    }
    if (agent) agent.destroy()
  })
  return {
    /** Number of answers so far. */
    count: () => [...outcomes.values()].reduce((sum, count) => sum + count, 0),
    /** Stops the load, and returns the number of requests for each outcome. */
    async stop(): Promise<Record<string, number>> {
      isStopped = true
      await Promise.all(loops)
      return Object.fromEntries(outcomes)
    },
  }
}
