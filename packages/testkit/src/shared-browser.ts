import { setTimeout } from 'node:timers/promises'
import { type Browser, chromium } from 'playwright-core'
import { type ChromiumOptions, chromiumFlags, findChromium } from './find-chromium.ts'
import { atTestProcessEnd, mayShare } from './test-process.ts'

export interface BrowserOptions extends ChromiumOptions {
  /** Flags beyond those of every test. */
  flags?: readonly string[]
}

export interface BorrowedBrowser extends AsyncDisposable {
  readonly browser: Browser
}

/** A browser has nothing to save, so it is not worth waiting for one that does not close. */
const maxCloseMs = 10_000

const running = new Map<string, Promise<Browser>>()

/** Starts a Chromium of its own, which the caller must close. */
export const launchBrowser = ({ flags = [], ...options }: BrowserOptions = {}): Promise<Browser> =>
  chromium.launch({
    executablePath: findChromium(options),
    headless: true,
    args: [...chromiumFlags, ...flags],
  })

/**
 * Returns the Chromium that the test files of this process share. Its disposal closes the contexts that were
 * opened since, so that the next file finds a browser without cookies or pages.
 */
export async function borrowBrowser(options: BrowserOptions = {}): Promise<BorrowedBrowser> {
  if (!mayShare()) {
    const browser = await launchBrowser(options)
    return { browser, [Symbol.asyncDispose]: () => browser.close() }
  }
  const browser = await findOrLaunch(options)
  const earlier = new Set(browser.contexts())
  return {
    browser,
    async [Symbol.asyncDispose]() {
      const own = browser.contexts().filter((context) => !earlier.has(context))
      await Promise.all(own.map((context) => context.close()))
    },
  }
}

/** Returns the running browser with these options. Starts another one if it crashed. */
async function findOrLaunch(options: BrowserOptions): Promise<Browser> {
  const key = JSON.stringify([findChromium(options), options.flags ?? []])
  const existing = await running.get(key)
  if (existing?.isConnected()) return existing
  const launched = launchBrowser(options)
  running.set(key, launched)
  // The next file tries again if the browser did not start.
  launched.catch(() => running.delete(key))
  const browser = await launched
  // Playwright kills a browser that has not closed when this process exits.
  atTestProcessEnd('the shared browser', () => Promise.race([browser.close(), setTimeout(maxCloseMs)]))
  return browser
}
