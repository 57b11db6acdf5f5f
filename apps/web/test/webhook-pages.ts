import { eventually, type Person } from '@oxbow/testkit'
import type { Locator, Page } from 'playwright-core'
import { goTo } from './open-client.ts'

/** Drives the pages of an incoming webhook in a browser. */
export interface WebhookPages {
  button(name: string | RegExp): Locator
  field(name: string): Locator
  /** The rows of refused deliveries. */
  rows: Locator
  /** The URL to enter at a service, and the key for HTTP Basic. */
  shownUrl: Locator
  /** Opens a page as it is without choices of the user. */
  open(bot: Person, page: 'general' | 'url' | 'failures'): Promise<void>
  /** Opens the list of failures with all deliveries that were refused until now. */
  openFailures(bot: Person, count: number): Promise<void>
  /** Chooses a service and shows the URL to enter there. */
  showUrl(bot: Person, service: string): Promise<URL>
}

export function driveWebhookPages(page: Page): WebhookPages {
  const button = (name: string | RegExp) =>
    page.getByRole('button', { name, exact: typeof name === 'string' })
  const field = (name: string) => page.getByLabel(name, { exact: true })
  const rows = page.locator('.Failures-row')
  const shownUrl = page.locator('section:has(h2:text-is("URL")) .Secret-value')
  const open: WebhookPages['open'] = async ({ user_id }, name) => {
    // Another page first, so that the opened one has no choices of an earlier test.
    await goTo(page, `#bots/${user_id}/${name === 'general' ? 'url' : 'general'}`)
    await goTo(page, `#bots/${user_id}/${name}`)
  }
  return {
    button,
    field,
    rows,
    shownUrl,
    open,
    async openFailures(bot, count) {
      await open(bot, 'failures')
      await button('Reload').click()
      await eventually(async () => (await rows.count()) === count)
    },
    async showUrl(bot, service) {
      await open(bot, 'url')
      await field('Service').selectOption({ label: service })
      await button('Show the URL').click()
      return new URL(await shownUrl.innerText())
    },
  }
}

const article = { featured_title: 'Rose', featured_url: 'https://rose.example/' }

/** Delivers to a URL as a service does, by default the article that Hello World posts. Returns the status. */
export async function deliver(
  url: URL,
  payload: unknown = article,
  headers: Record<string, string> = {},
): Promise<number> {
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload)
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
  return response.status
}

/** Lists the messages of a stream, oldest first, with their Markdown. */
export async function listMessages(reader: Person, stream: string) {
  const narrow = [{ operator: 'stream' as const, operand: stream }]
  const range = { anchor: 'newest' as const, num_before: 20, num_after: 0, apply_markdown: false }
  return (await reader.messages.list({ ...range, narrow })).messages
}
