import { borrowBrowser } from '@oxbow/testkit/browser'
import { build } from 'esbuild'
import type { Page } from 'playwright-core'

export type TestPage = AsyncDisposable & {
  page: Page
  /** URLs that the page requested besides itself and its script. */
  requests: string[]
}

const origin = 'https://chat.example/'

/** Opens a page that has loaded this package. Its other requests are recorded and refused. */
export async function openPage(): Promise<TestPage> {
  const script = await bundle('page.ts')
  const borrowed = await borrowBrowser()
  const page = await borrowed.browser.newPage()
  const requests: string[] = []
  await page.route('**', (route) => {
    const url = route.request().url()
    if (url === origin) return route.fulfill({ contentType: 'text/html', body: html })
    if (url === `${origin}page.js`) return route.fulfill({ contentType: 'text/javascript', body: script })
    requests.push(url)
    return route.abort()
  })
  page.on('dialog', (dialog) => {
    requests.push(`dialog ${dialog.message()}`)
    return dialog.dismiss()
  })
  await page.goto(origin)
  await page.waitForFunction('window.ready')
  return { page, requests, [Symbol.asyncDispose]: () => borrowed[Symbol.asyncDispose]() }
}

const html =
  '<!doctype html><meta charset="utf-8"><title>markdown</title><body><script type="module" src="/page.js"></script>'

async function bundle(entry: string): Promise<string> {
  const result = await build({
    entryPoints: [new URL(entry, import.meta.url).pathname],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'esnext',
    charset: 'utf8',
  })
  return result.outputFiles[0]?.text ?? ''
}
