import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { afterEach, beforeEach } from 'node:test'
import {
  type ChromiumOptions,
  eventually,
  type Person,
  signIn,
  startWorld,
  type World,
  type WorldOptions,
} from '@oxbow/testkit'
import { borrowBrowser } from '@oxbow/testkit/browser'
import { bySize } from '@oxbow/testkit/size'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

/** A world with a browser, for tests of the client. */
export interface ClientSite extends AsyncDisposable {
  world: World
  browser: Browser
  /** The URL at which pages are opened: node b, or a proxy that a test puts in front of it. */
  url: string
  /** Signs a person in and opens the client at a fragment of the URL. */
  openAs(person: Person, hash?: string, options?: BrowserContextOptions): Promise<Page>
  /** Opens a separate browser context, without history or cookies. */
  newContext(options?: BrowserContextOptions): Promise<BrowserContext>
  /**
   * Signs a person in, replacing the session of the context. By default the person
   * chooses to stay signed in.
   */
  signInTo(context: BrowserContext, person: Person, options?: { isTrusted?: boolean }): Promise<void>
  /** Opens the client in another tab of a browser that is signed in. */
  openTab(context: BrowserContext, hash?: string): Promise<Page>
  /** Problems that browsers reported: violations of the content security policy and uncaught errors. */
  problems: string[]
}

export interface ClientSiteOptions extends WorldOptions, ChromiumOptions {}

export async function startClientSite(options: ClientSiteOptions = {}): Promise<ClientSite> {
  const world = await startWorld(options)
  const borrowed = await borrowBrowser(options)
  const { browser } = borrowed
  const problems: string[] = []
  const newContext = async (options: BrowserContextOptions = {}) => {
    const context = await openContext(browser, options)
    contextsOfTest?.push(context)
    return context
  }
  // Pages of earlier tests would receive and render the events of all later tests.
  let contextsOfTest: BrowserContext[] | undefined
  beforeEach(() => {
    contextsOfTest = []
  })
  afterEach(async () => {
    for (const context of contextsOfTest ?? []) await context.close()
    contextsOfTest = undefined
  })
  const openTab = async (context: BrowserContext, hash = '') => {
    const page = await context.newPage()
    collectProblems(page, problems)
    await page.goto(`${site.url}/${hash}`)
    await page.waitForSelector('.App')
    return page
  }
  const site: ClientSite = {
    world,
    browser,
    url: world.nodes.b.url,
    problems,
    newContext,
    openTab,
    async openAs(person, hash = '', options = {}) {
      const { cookie } = await signIn(world, person)
      const [name = '', value = ''] = cookie.split('=')
      const context = await newContext(options)
      await context.addCookies([{ name, value, url: site.url }])
      return openTab(context, hash)
    },
    signInTo: (context, person, options) => signInAt(site.url, context, person, options),
    async [Symbol.asyncDispose]() {
      await borrowed[Symbol.asyncDispose]()
      await world[Symbol.asyncDispose]()
    },
  }
  return site
}

/** Opens a separate browser context, without history or cookies. */
export async function openContext(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  // A service worker would hide requests from tests, so only tests about it allow it.
  const context = await browser.newContext({
    locale: 'en-GB',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    ...options,
  })
  // The timeout is long because other test files share the processors. It is shorter in the gate, because after a
  // failed test each later test of the file may wait until the timeout.
  context.setDefaultTimeout(bySize({ gate: 60_000, long: 120_000 }))
  return context
}

/** Signs a person in at a node, replacing the context's session. Only trusted sessions store data. */
export async function signInAt(
  url: string,
  context: BrowserContext,
  { email, password }: Pick<Person, 'email' | 'password'>,
  { isTrusted = true }: { isTrusted?: boolean } = {},
): Promise<void> {
  const response = await context.request.post(`${url}/api/v1/sessions`, {
    form: { username: email, password, is_trusted: String(isTrusted) },
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  if (!response.ok()) throw new Error(await response.text())
}

/** Records violations of the content security policy and uncaught errors of a page. */
export function collectProblems(page: Page, problems: string[]): void {
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
      problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(String(error)))
}

/** Opens a view by its fragment, and returns when the view and its content are painted. */
export async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate(`new Promise((done) => {
    const painted = () => requestAnimationFrame(() => requestAnimationFrame(done))
    const hash = ${JSON.stringify(hash)}
    if (location.hash === hash) return painted()
    addEventListener('hashchange', painted, { once: true })
    location.hash = hash
  })`)
  await page.waitForSelector('h1', { state: 'attached' })
  await eventually(() => page.evaluate("!document.querySelector('.ListLoading, [aria-busy=true]')"))
}

/** Themes, contrasts and directions in which every screen must be usable. */
export const looks = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  contrast: { colorScheme: 'light', contrast: 'more' },
  'dark contrast': { colorScheme: 'dark', contrast: 'more' },
  'right to left': { colorScheme: 'light', direction: 'rtl' },
} as const satisfies Record<string, Look>

interface Look {
  colorScheme: 'light' | 'dark'
  contrast?: 'more'
  direction?: 'rtl'
}

/**
 * Returns the window sizes at which a test checks a screen in a theme. The gate checks the screen once in each
 * theme, at different widths; the long lane checks it at all widths. Screens beside each other in a list
 * should have consecutive indices, so that half of them are checked at each width.
 */
export function windowsFor(theme: 'light' | 'dark', index = 0): WindowSize[] {
  const isWide = (index + (theme === 'light' ? 0 : 1)) % 2 === 0
  return bySize({
    gate: [isWide ? windows[0] : windows[1]],
    long: [...windows, { width: 1440, height: 900 }],
  })
}

interface WindowSize {
  width: number
  height: number
}

const windows = [
  { width: 1280, height: 800 },
  { width: 360, height: 640 },
] as const

/** Returns the looks in which a screen is checked at a width: two in the gate, four in the long lane. */
export const looksAt = (width: number) =>
  bySize<(keyof typeof looks)[]>({
    gate: width > 360 ? ['light', 'contrast'] : ['dark', 'right to left'],
    long: ['light', 'dark', 'contrast', 'right to left'],
  })

/** Changes the theme, contrast and direction of an open page. */
export async function applyLook(page: Page, { colorScheme, contrast, direction }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme, contrast: contrast ?? 'no-preference' })
  await page.evaluate(`document.documentElement.dir = '${direction ?? 'ltr'}'`)
}

/** Waits until the page was painted twice and no transition is running, so that the layout is final. */
export const waitForLayout = async (page: Page): Promise<void> => {
  await page.evaluate(`(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    await frame()
    await frame()
    const isFinite = (animation) => animation.effect?.getComputedTiming().endTime !== Infinity
    const ended = document.getAnimations().filter(isFinite).map(({ finished }) => finished.catch(() => {}))
    await Promise.all(ended)
    await frame()
  })()`)
}

/** Presses the pointer in a dialog and releases it at the edge of the page. Returns after the effects are painted. */
export async function dragOut(page: Page, selector: string): Promise<void> {
  await page.hover(selector)
  await page.mouse.down()
  await page.mouse.move(2, 2)
  await page.mouse.up()
  await waitForLayout(page)
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Runs axe on a page or a part of it. Returns one line per violation, and one more if the page
 * scrolls horizontally.
 */
export async function findAccessProblems(page: Page, part = 'html'): Promise<string[]> {
  await waitForLayout(page)
  if (!(await page.evaluate('Boolean(window.axe)'))) await page.evaluate(axeSource)
  // The page returns only texts, because Playwright takes longer to copy the results of axe than axe to find them.
  return page.evaluate(`(async () => {
    const { violations } = await axe.run('${part}', { resultTypes: ['violations'], selectors: false })
    const isWide = document.documentElement.scrollWidth > innerWidth
    return [
      ...(isWide ? ['the page scrolls sideways'] : []),
      ...violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' ')),
    ]
  })()`)
}

/** Saves a screenshot of a page if `OXBOW_PAGE_PICTURES` names a directory. */
export async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env.OXBOW_PAGE_PICTURES
  if (folder) await page.screenshot({ path: `${folder}/${name.replaceAll(' ', '-')}.png` })
}
