import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { borrowBrowser } from '@oxbow/testkit/browser'
import type { BrowserContext, Page } from 'playwright-core'
import type { Trap } from './hostile-file.ts'

export interface WatchedBrowser extends AsyncDisposable {
  readonly trap: Trap
  /** Opens a file as a page. */
  open(url: string): Promise<Opened>
  /**
   * Embeds files in a page of the same origin that has no content security policy. Returns how the
   * browser let the page use each file.
   */
  embed(urls: readonly string[]): Promise<Embedded[]>
  /** Serves a path without a content security policy, to prove that a file that runs is detected. */
  serveOpenly(path: string, contentType: string, body: string): Promise<string>
  /** Returns evidence of files that ran since the last call. */
  takeTraces(): string[]
}

/** A page that the browser showed, with the type that it assumed, or a file that it saved. */
type Opened = { kind: 'shown'; type: string } | { kind: 'saved'; name: string }

interface Embedded {
  url: string
  /** Elements and calls that load the file as code and succeeded. */
  accepted: string[]
}

/** Starts a server that records requests. Files that run report to it. */
async function startTrap(note: (trace: string) => void) {
  const server = createServer((request, response) => {
    note(`request ${request.url}`)
    response.writeHead(200, { 'access-control-allow-origin': '*' }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, word: `ran-${port}`, close: () => server.close() }
}

/** Starts Chromium with the cookie of a session at `origin`. */
export async function startWatchedBrowser(origin: string, cookie: string): Promise<WatchedBrowser> {
  const traces: string[] = []
  const { close, ...trap } = await startTrap((trace) => traces.push(trace))
  const borrowed = await borrowBrowser({ needsWholeBrowser: true })
  const context = await borrowed.browser.newContext()
  const [name = '', value = ''] = cookie.split('=')
  await context.addCookies([{ name, value, url: origin, httpOnly: true, sameSite: 'Lax' }])
  watch(context, origin, trap, traces)
  const harness = `${origin}/harness`
  await context.route(harness, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>harness</title><body>' }),
  )
  const page = await context.newPage()
  const openFile = makeOpener(context)
  return {
    trap,
    // Retries once, because on a busy machine the PDF viewer may replace the page while its type is read.
    // Traces of both attempts count.
    open: (url) => openFile(url).catch(() => openFile(url)),
    async embed(urls) {
      await page.goto(harness)
      const embedded = await page.evaluate(embedAll, { urls, word: trap.word })
      for (const frame of page.frames().slice(1))
        if (frame.url().includes('/user_uploads/'))
          embedded.find(({ url }) => url === frame.url())?.accepted.push('frame')
      return embedded
    },
    async serveOpenly(path, contentType, body) {
      await context.route(origin + path, (route) => route.fulfill({ contentType, body }))
      return origin + path
    },
    takeTraces: () => traces.splice(0),
    async [Symbol.asyncDispose]() {
      await borrowed[Symbol.asyncDispose]()
      close()
    },
  }
}

/** Records dialogs, printed words, new windows, and requests to other origins. */
function watch(context: BrowserContext, origin: string, { word }: Trap, traces: string[]): void {
  context.on('dialog', (dialog) => {
    traces.push(`dialog ${dialog.message()}`)
    return dialog.dismiss()
  })
  context.on('console', (message) => {
    if (message.text().includes(word)) traces.push(`console ${message.text()}`)
  })
  context.on('request', (request) => {
    const url = request.url()
    // Chromium's viewer of PDF files is an extension, whose requests are ignored.
    if (url.startsWith(`${origin}/`) || /^(chrome-extension|chrome-untrusted|chrome|data|blob):/.test(url))
      return
    traces.push(`request ${url}`)
  })
}

/**
 * Opens files, one after the other in the same page. After a PDF, and after an error, it takes
 * another page, so that the dialog of a slow PDF reader is not taken for one of the next file.
 */
function makeOpener(context: BrowserContext): (url: string) => Promise<Opened> {
  let page: Page | undefined
  return async (url) => {
    page ??= await context.newPage()
    const used = page
    page = undefined
    let opened: Opened | undefined
    try {
      opened = await open(used, url)
      return opened
    } finally {
      if (opened && !(opened.kind === 'shown' && opened.type === 'application/pdf')) page = used
      else await used.close()
    }
  }
}

async function open(page: Page, url: string): Promise<Opened> {
  const saved = page.waitForEvent('download', { timeout: 30_000 }).catch(() => undefined)
  try {
    await page.goto(url)
  } catch (error) {
    if (!/Download is starting|net::ERR_ABORTED/.test(String(error))) throw error
    const download = await saved
    await download?.cancel()
    return { kind: 'saved', name: download?.suggestedFilename() ?? '' }
  }
  const type = await page.evaluate(() => document.contentType)
  // Waits, because a PDF viewer, and perhaps a script, starts after the page has loaded.
  await page.waitForTimeout(type === 'application/pdf' ? 700 : 30)
  return { kind: 'shown', type }
}

/** Embeds files in every way that could run them. Runs inside the page. */
async function embedAll({ urls, word }: { urls: readonly string[]; word: string }): Promise<Embedded[]> {
  const deadline = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 5_000))
  const loads = (element: HTMLElement, attributes: Record<string, string>) => {
    const outcome = new Promise<boolean>((resolve) => {
      element.addEventListener('load', () => resolve(true))
      element.addEventListener('error', () => resolve(false))
    })
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
    document.body.append(element)
    return Promise.race([outcome, deadline])
  }
  const make = (name: string) => document.createElement(name)
  const succeeds = (promise: Promise<unknown>) =>
    promise.then(
      () => true,
      () => false,
    )
  const works = (url: string) =>
    new Promise<boolean>((resolve) => {
      const worker = new Worker(url)
      worker.onmessage = () => resolve(true)
      worker.onerror = () => resolve(false)
    })
  const embed = async (url: string) => {
    for (const [name, attribute] of [
      ['iframe', 'src'],
      ['object', 'data'],
      ['embed', 'src'],
      ['img', 'src'],
      ['video', 'src'],
    ] as const) {
      const element = make(name)
      element.setAttribute(attribute, url)
      document.body.append(element)
    }
    const attempts: Record<string, Promise<boolean>> = {
      script: loads(make('script'), { src: url }),
      module: loads(make('script'), { type: 'module', src: url }),
      stylesheet: loads(make('link'), { rel: 'stylesheet', href: url }),
      import: succeeds(import(url)),
      worker: Promise.race([works(url), deadline]),
      'service worker': succeeds(navigator.serviceWorker.register(url)),
      wasm: succeeds(WebAssembly.compileStreaming(fetch(url))),
    }
    const accepted: string[] = []
    for (const [name, attempt] of Object.entries(attempts)) if (await attempt) accepted.push(name)
    return { url, accepted }
  }
  const embedded = await Promise.all(urls.map(embed))
  if (document.title === word) embedded[0]?.accepted.push('title')
  return embedded
}
