import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { killChild, startChild } from '@oxbow/testkit'
import type { DrivenBrowser } from './driven-browser.ts'

const program = '/usr/bin/firefox-esr'

/** Whether Debian's Firefox is installed: `apt-get install firefox-esr`. */
export const hasFirefox = existsSync(program)

/** Runs in every page before its scripts. Logs violations of the content security policy as errors. */
const reportBreaches = `() => {
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile, lineNumber }) =>
    console.error('content policy:', violatedDirective, blockedURI, sourceFile, lineNumber))
}`

/** Starts Firefox in headless mode, and controls it by WebDriver BiDi, without a separate driver. */
export async function startFirefox(): Promise<DrivenBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'oxbow-firefox-'))
  const child = startChild(
    program,
    ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0', 'about:blank'],
    { env: { ...process.env, HOME: profile }, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const address = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.stderr?.on('data', (chunk) => {
      output += chunk
      const [found] = /ws:\/\/\S+/.exec(output) ?? []
      if (found) resolve(found)
    })
    child.once('exit', () => reject(new Error(`Firefox did not start: ${output}`)))
  })
  const problems: string[] = []
  const connection = await openBidi(`${address}/session`, (method, { type, level, text, source }) => {
    if (method !== 'log.entryAdded' || level !== 'error') return
    problems.push(`${type}: ${text} ${source?.context ? '' : '(outside of a page)'}`.trim())
  })
  await connection.send('session.new', { capabilities: {} })
  await connection.send('session.subscribe', { events: ['log.entryAdded'] })
  await connection.send('script.addPreloadScript', { functionDeclaration: reportBreaches })
  const { contexts } = await connection.send<{ contexts: { context: string }[] }>(
    'browsingContext.getTree',
    {},
  )
  const context = contexts[0]?.context
  return {
    problems,
    async goTo(url) {
      await connection.send('browsingContext.navigate', { context, url, wait: 'complete' })
    },
    async evaluate(expression) {
      const { result, exceptionDetails } = await connection.send<Evaluated>('script.evaluate', {
        expression: `(async () => JSON.stringify((await (${expression})) ?? null))()`,
        target: { context },
        awaitPromise: true,
      })
      if (!result) throw new Error(`${expression}: ${exceptionDetails?.text}`)
      return JSON.parse(result.value)
    },
    async perform(source) {
      await connection.send('input.performActions', { context, actions: [source] })
    },
    async [Symbol.asyncDispose]() {
      connection.close()
      await killChild(child)
      await rm(profile, { recursive: true, force: true, maxRetries: 20 })
    },
  }
}

interface Evaluated {
  result?: { value: string }
  exceptionDetails?: { text: string }
}

interface LogEntry {
  type: string
  level: string
  text: string
  source?: { context?: string }
}

interface BidiConnection {
  send<Result>(method: string, params: unknown): Promise<Result>
  close(): void
}

/** Connects to a browser by WebDriver BiDi. */
async function openBidi(
  url: string,
  onEvent: (method: string, params: LogEntry) => void,
): Promise<BidiConnection> {
  const socket = new WebSocket(url)
  const waiting = new Map<number, PromiseWithResolvers<never>>()
  let last = 0
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('error', () => reject(new Error(`no connection to ${url}`)), { once: true })
  })
  socket.addEventListener('message', ({ data }) => {
    const { type, id, method, params, result, error, message } = JSON.parse(String(data))
    if (type === 'event') return onEvent(method, params)
    const answered = waiting.get(id)
    waiting.delete(id)
    if (type === 'success') answered?.resolve(result as never)
    else answered?.reject(new Error(`${error}: ${message}`))
  })
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('the browser closed the connection'))
  })
  return {
    send(method, params) {
      const id = ++last
      const answered = Promise.withResolvers<never>()
      waiting.set(id, answered)
      socket.send(JSON.stringify({ id, method, params }))
      return answered.promise
    },
    close: () => socket.close(),
  }
}
