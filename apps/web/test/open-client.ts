import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Person, signIn, startWorld, type World } from '@oxbow/testkit'
import type axe from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A world with a browser, for tests of the client. */
export interface ClientSite extends AsyncDisposable {
  world: World
  browser: Browser
  /** Opens the client of a person who is signed in, at a fragment of the URL. */
  openAs(person: Person, hash?: string, options?: BrowserContextOptions): Promise<Page>
  /** Reports of browsers: breaches of the content policy, uncaught errors. */
  problems: string[]
}

export async function startClientSite(): Promise<ClientSite> {
  const world = await startWorld()
  const browser = await launchBrowser()
  const problems: string[] = []
  return {
    world,
    browser,
    problems,
    async openAs(person, hash = '', options = {}) {
      const { cookie } = await signIn(world, person)
      const [name = '', value = ''] = cookie.split('=')
      const { url } = world.nodes.b
      const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce', ...options })
      // Other test files share the processors.
      context.setDefaultTimeout(120_000)
      await context.addCookies([{ name, value, url }])
      const page = await context.newPage()
      collectProblems(page, problems)
      await page.goto(`${url}/${hash}`)
      await page.waitForSelector('.App')
      return page
    },
    async [Symbol.asyncDispose]() {
      await browser.close()
      await world[Symbol.asyncDispose]()
    },
  }
}

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    headless: true,
    args: flags,
  })

/** Records breaches of the content policy and uncaught errors of a page. */
export function collectProblems(page: Page, problems: string[]): void {
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
      problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(String(error)))
}

/** The ways in which every screen must be usable. */
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

/** Gives an open page another look. */
export async function applyLook(page: Page, { colorScheme, contrast, direction }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme, contrast: contrast ?? 'no-preference' })
  await page.evaluate(`document.documentElement.dir = '${direction ?? 'ltr'}'`)
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Runs axe on a page or a part of it. Returns one line per violation, and one if the page scrolls sideways. */
export async function findAccessProblems(page: Page, part = 'html'): Promise<string[]> {
  if (!(await page.evaluate('Boolean(window.axe)'))) await page.evaluate(axeSource)
  const { violations } = (await page.evaluate(`axe.run('${part}')`)) as axe.AxeResults
  const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
  return [
    ...(isWide ? ['the page scrolls sideways'] : []),
    ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`),
  ]
}

/** Writes a picture of a page if `OXBOW_PAGE_PICTURES` names a folder for them. */
export async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env.OXBOW_PAGE_PICTURES
  if (folder) await page.screenshot({ path: `${folder}/${name.replaceAll(' ', '-')}.png` })
}
