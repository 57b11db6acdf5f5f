import { existsSync, globSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually, freePort, killChild, startChild } from '@oxbow/testkit'
import type { DrivenBrowser } from './driven-browser.ts'

const driver = '/usr/bin/WebKitWebDriver'
const [miniBrowser] = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser')

/** Whether Debian's WebKit is installed: `apt-get install webkit2gtk-driver xvfb`. */
export const hasWebKit = existsSync(driver) && existsSync('/usr/bin/Xvfb') && miniBrowser !== undefined

/**
 * Runs before each evaluated script, because the driver gives no access to the console and cannot run
 * scripts before those of the page. Problems before the first evaluation in a page are missed.
 */
const collectProblems = `if (!window.foundProblems) {
  const found = (window.foundProblems = []);
  const { error } = console;
  console.error = (...words) => { found.push('console: ' + words.join(' ')); error.apply(console, words); };
  addEventListener('error', ({ message }) => found.push('error: ' + message));
  addEventListener('unhandledrejection', ({ reason }) => found.push('rejection: ' + reason));
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    found.push('content policy: ' + violatedDirective + ' ' + blockedURI));
}`

interface Evaluated {
  value: string
  error?: string
  found: string[]
}

/** Starts WebKitGTK's MiniBrowser on a virtual display, and controls it by WebDriver. */
export async function startWebKit(): Promise<DrivenBrowser> {
  const home = await mkdtemp(join(tmpdir(), 'oxbow-webkit-'))
  const display = await startDisplay()
  const port = await freePort()
  const child = startChild(driver, [`--port=${port}`], {
    env: { ...process.env, HOME: home, DISPLAY: display.name, WEBKIT_DISABLE_DMABUF_RENDERER: '1' },
    stdio: 'ignore',
  })
  const problems: string[] = []
  const url = `http://127.0.0.1:${port}`
  await eventually(() =>
    fetch(`${url}/status`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  const { sessionId } = await post<{ sessionId: string }>(`${url}/session`, {
    capabilities: {
      alwaysMatch: {
        'webkitgtk:browserOptions': {
          binary: miniBrowser,
          args: ['--automation'],
        },
      },
    },
  })
  const session = `${url}/session/${sessionId}`
  await post(`${session}/timeouts`, { script: 90_000, pageLoad: 90_000 })
  await post(`${session}/window/rect`, { x: 0, y: 0, width: 1280, height: 900 })
  return {
    problems,
    async goTo(page) {
      await post(`${session}/url`, { url: page })
    },
    async evaluate(expression) {
      const script = `const done = arguments[arguments.length - 1];
        ${collectProblems}
        const end = (result) => done({ ...result, found: window.foundProblems.splice(0) });
        (async () => JSON.stringify((await (${expression})) ?? null))()
          .then((value) => end({ value }), (error) => end({ error: String(error) }))`
      const { value, error, found } = await post<Evaluated>(`${session}/execute/async`, { script, args: [] })
      problems.push(...found)
      if (error !== undefined) throw new Error(`${expression}: ${error}`)
      return JSON.parse(value)
    },
    async perform(source) {
      await post(`${session}/actions`, { actions: [source] })
      // Otherwise the driver would ignore another wheel action with the same values.
      await fetch(`${session}/actions`, { method: 'DELETE' })
    },
    async [Symbol.asyncDispose]() {
      await fetch(session, { method: 'DELETE' }).catch(() => {})
      await killChild(child)
      // A browser that is still running exits with its display.
      await display[Symbol.asyncDispose]()
      await rm(home, { recursive: true, force: true, maxRetries: 20 })
    },
  }
}

/** Sends a command to the driver and returns its value. */
async function post<Value>(url: string, body: unknown): Promise<Value> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
  const { value } = (await response.json()) as { value: Value & { error?: string; message?: string } }
  if (!response.ok) throw new Error(`${url}: ${value.error}: ${value.message}`)
  return value
}

/** Starts a virtual X server, which chooses its own display number. */
async function startDisplay(): Promise<AsyncDisposable & { name: string }> {
  const child = startChild('Xvfb', ['-displayfd', '1', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const number = await new Promise<string>((resolve, reject) => {
    child.stdout?.once('data', (chunk) => resolve(String(chunk).trim()))
    child.once('exit', () => reject(new Error('Xvfb did not start')))
  })
  return { name: `:${number}`, [Symbol.asyncDispose]: () => killChild(child) }
}
