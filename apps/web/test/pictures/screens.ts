import { eventually } from '@oxbow/testkit'
import type { Page } from 'playwright-core'
import { writeHash } from '../../src/client/route/hash.ts'
import { streamRoute, topicRoute } from '../../src/client/route/route.ts'
import { listViewHashes, type ViewWorld } from '../every-view.ts'
import { goTo } from '../open-client.ts'

/** A screen of which a picture is taken. */
export interface Screen {
  name: string
  /** Whether the screen is for people who are not signed in. */
  isSignedOut?: boolean
  open(page: Page): Promise<void>
}

/** Paths of pages that the server renders, by the names of their pictures. */
const serverPages = {
  'page-login': '/login',
  'page-status': '/status',
  'page-help': '/help',
  'page-help-keys': '/help/keys',
  'page-go': '/accounts/go',
  'page-password-reset': '/accounts/password/reset/',
  'page-register': '/register/',
  'page-not-found': '/nowhere',
}

/** Lists all screens: every view, dialogs and menus on top of views, and pages of the server. */
export function listScreens(world: ViewWorld): Screen[] {
  const hashes = listViewHashes(world)
  const views = hashes.map((hash, index) => {
    const name = nameOf(hash)
    const before = hashes.slice(0, index).filter((other) => nameOf(other) === name).length
    return { name: before > 0 ? `${name}-${before + 1}` : name, open: (page: Page) => goTo(page, hash) }
  })
  const pages = Object.entries(serverPages).map(([name, path]) => ({
    name,
    isSignedOut: true,
    open: async (page: Page) => {
      await page.goto(new URL(path, page.url()).href)
    },
  }))
  return [...views, ...listDialogs(world), ...pages]
}

/** Returns the name of a view's picture: `narrow-stream-garden` for `#narrow/stream/12-garden`. */
const nameOf = (hash: string): string =>
  hash
    .replace(/^#/, '')
    .replaceAll(/%../g, '-')
    .replaceAll(/\/\d+(-|\/|$)/g, '/')
    .replaceAll(/[^\w-]+/g, '-')
    .replaceAll(/^-|-$/g, '') || 'home'

function listDialogs({ garden }: ViewWorld): Screen[] {
  const roses = writeHash(topicRoute(garden, 'roses'))
  const compost = writeHash(topicRoute(garden, 'compost'))
  const stream = writeHash(streamRoute(garden))
  const at = (name: string, hash: string, does: (page: Page) => Promise<void>): Screen => ({
    name,
    open: async (page) => {
      await goTo(page, hash)
      await does(page)
    },
  })
  const press = (key: string, shows: string) => async (page: Page) => {
    await page.evaluate('document.activeElement?.blur()')
    await page.keyboard.press(key)
    await page.waitForSelector(shows)
  }
  const pressOnMessage = (key: string, shows: string) => async (page: Page) => {
    await page.locator('.Row-message').last().focus()
    await page.keyboard.press(key)
    await page.waitForSelector(shows)
  }
  const write = async (page: Page, text: string) => {
    await page.locator('.Composer textarea').fill('')
    await page.locator('.Composer textarea').pressSequentially(text)
  }
  return [
    at('dialog-new-message', '#inbox', press('c', '.WriteDialog')),
    at('dialog-new-message-in-stream', stream, press('c', '.WriteDialog')),
    at('dialog-new-private-message', '#inbox', press('x', '.WriteDialog')),
    at('dialog-jump', '#inbox', press('Control+k', '.Jump [role=option]')),
    at('dialog-jump-results', '#inbox', async (page) => {
      await press('Control+k', '.Jump [role=option]')(page)
      await page.keyboard.type('ro')
      await page.waitForSelector('.Jump [role=option]:has-text("Rosalind Hale")')
    }),
    at('dialog-keys', '#inbox', press('?', '.KeysDialog')),
    at('dialog-lightbox', roses, async (page) => {
      await page.locator('.Body img').first().click()
      await page.waitForSelector('.Lightbox')
    }),
    at('dialog-emoji', roses, pressOnMessage(':', '.EmojiPicker')),
    at('dialog-card', roses, pressOnMessage('u', '.PersonCard')),
    at('dialog-move', roses, pressOnMessage('m', 'dialog[open]')),
    at('dialog-message-menu', roses, pressOnMessage('i', '[role=menu]:popover-open')),
    at('dialog-mention', compost, async (page) => {
      await write(page, 'Thank you, @ir')
      await page.waitForSelector('.Typeahead-row')
    }),
    at('dialog-composer', compost, (page) => write(page, 'Thank you! **Two** bags, please.')),
    at('dialog-side', compost, async (page) => {
      await write(page, '')
      if (!(await page.locator('.ConversationSide').isVisible()))
        await press('Control+Shift+\\', '.ConversationSide')(page)
    }),
  ]
}

/** Closes what a screen has opened over its view. */
export async function closeDialogs(page: Page): Promise<void> {
  await eventually(async () => {
    if (!(await page.locator('dialog[open], :popover-open').count())) return true
    await page.keyboard.press('Escape')
    return false
  })
}
