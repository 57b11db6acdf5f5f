import { type MailServer, startMailServer, startTcpProxy, startWorld, type World } from '@oxbow/testkit'
import { borrowBrowser } from '@oxbow/testkit/browser'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

const flags = [
  // The site has a host name and no https, like a new installation, so browsers send `Origin`
  // instead of `Sec-Fetch-Site`.
  '--host-resolver-rules=MAP *.example 127.0.0.1',
]

export interface Site extends AsyncDisposable {
  world: World
  mail: MailServer
  /** Origin of the root host. */
  url: string
  /** Returns the origin of an organization. */
  urlOf(subdomain: string): string
  browser: Browser
  /** Opens a window with separate storage. Scripts are off unless the options enable them. */
  openWindow(options?: BrowserContextOptions): Promise<Page>
  /** Violations of the content security policy that browsers reported. */
  violations: string[]
}

/** Starts a world with a mail server at `http://chat.example` for a real browser. */
export async function startSite(): Promise<Site> {
  const mail = await startMailServer()
  const proxy = await startTcpProxy(0)
  const url = `http://chat.example:${proxy.port}`
  const world = await startWorld({
    monitorMs: 500,
    config: {
      smtp_url: mail.url,
      external_url: url,
      terms_url: 'https://garden.example/terms',
      // All pages must work without scripts. Without a web client, the server shows its own start
      // page, which has no scripts.
      web_dir: '/nowhere',
    },
  })
  proxy.pointTo(Number(new URL(world.nodes.b.url).port))
  const borrowed = await borrowBrowser({ flags })
  const { browser } = borrowed
  const violations: string[] = []
  const openWindow: Site['openWindow'] = async (options = {}) => {
    const defaults = { javaScriptEnabled: false, locale: 'en-GB', reducedMotion: 'reduce' } as const
    const context = await browser.newContext({ ...defaults, ...options })
    const page = await context.newPage()
    page.on('console', (message) => {
      if (/content security policy/i.test(message.text())) violations.push(message.text())
    })
    return page
  }
  return {
    world,
    mail,
    url,
    urlOf: (subdomain) => url.replace('//', `//${subdomain}.`),
    browser,
    openWindow,
    violations,
    async [Symbol.asyncDispose]() {
      await borrowed[Symbol.asyncDispose]()
      await world[Symbol.asyncDispose]()
      await proxy[Symbol.asyncDispose]()
      await mail[Symbol.asyncDispose]()
    },
  }
}

/** Fills in the sign-in form of the open page, and submits it. */
export async function submitLogin(
  page: Page,
  { email, password }: { email: string; password: string },
): Promise<void> {
  await page.fill('[name=username]', email)
  await page.fill('[name=password]', password)
  await page.click('button')
}
