import { mkdir } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { eventually } from '@oxbow/testkit'
import type { Page } from 'playwright-core'
import { fillSampleForViews, type ViewWorld } from '../apps/web/test/every-view.ts'
import {
  applyLook,
  type ClientSite,
  looks,
  startClientSite,
  waitForLayout,
} from '../apps/web/test/open-client.ts'
import { closeDialogs, listScreens, type Screen } from '../apps/web/test/pictures/screens.ts'
import { buildWeb } from './build/build-web.ts'

// npm run pictures [-- PART_OF_A_NAME …]   takes pictures of all screens of the web client with the sample
// organization, or of those whose names contain one of the parts: .cache/pictures/LOOK/WIDTH/NAME.png
//   --look LOOK     only this look (light, dark, contrast, dark-contrast, right-to-left); may be repeated
//   --width WIDTH   only this width (1440, 1024, 360); may be repeated
const { values: options, positionals: parts } = parseArgs({
  allowPositionals: true,
  options: { look: { type: 'string', multiple: true }, width: { type: 'string', multiple: true } },
})

const heights = { '1440': 900, '1024': 768, '360': 640 }
const namedLooks = Object.entries(looks).map(([name, look]) => [name.replaceAll(' ', '-'), look] as const)
const isWanted = (wanted: readonly string[] | undefined, name: string) => !wanted || wanted.includes(name)

process.env.OXBOW_WEB_DIR = await buildWeb()
const site = await startClientSite()
try {
  const world = await fillSampleForViews(site.world)
  const screens = listScreens(world).filter(
    ({ name }) => parts.length === 0 || parts.some((part) => name.includes(part)),
  )
  for (const [look] of namedLooks.filter(([name]) => isWanted(options.look, name)))
    for (const width of Object.keys(heights).filter((each) => isWanted(options.width, each)))
      await takeAll(site, world, { look, width: width as keyof typeof heights, screens })
} finally {
  await site[Symbol.asyncDispose]()
}

interface Wanted {
  look: string
  width: keyof typeof heights
  screens: readonly Screen[]
}

/** Takes pictures of screens in one look and width. */
async function takeAll(
  { openAs, newContext, url }: ClientSite,
  { reader }: ViewWorld,
  { look: lookName, width, screens }: Wanted,
): Promise<void> {
  const look = namedLooks.find(([name]) => name === lookName)?.[1] ?? looks.light
  const isArabic = 'direction' in look
  const isPhone = width === '360'
  const view = {
    viewport: { width: Number(width), height: heights[width] },
    hasTouch: isPhone,
    locale: isArabic ? 'ar' : 'en-GB',
    timezoneId: 'Europe/Berlin',
  }
  await reader.settings.updateDisplay({ default_language: isArabic ? 'ar' : 'en' })
  const signedIn = await openAs(reader, '#inbox', view)
  // A page without the focus marks no message as read, so that all pictures show the same messages.
  await signedIn.addInitScript('document.hasFocus = () => false')
  await signedIn.reload()
  await signedIn.waitForSelector('.App')
  const signedOut = await (await newContext(view)).newPage()
  for (const page of [signedIn, signedOut]) page.setDefaultTimeout(20_000)
  await signedOut.goto(`${url}/status`)
  const folder = `.cache/pictures/${lookName}/${width}`
  await mkdir(folder, { recursive: true })
  for (const screen of screens) {
    const page = screen.isSignedOut ? signedOut : signedIn
    try {
      await screen.open(page)
      await applyLook(page, look)
      await takePicture(page, `${folder}/${screen.name}.png`)
      await closeDialogs(page)
    } catch (error) {
      process.exitCode = 1
      process.stderr.write(`${folder}/${screen.name}: ${error}\n`)
    }
  }
  await signedIn.context().close()
  await signedOut.context().close()
  process.stdout.write(`${folder}: ${screens.length} pictures\n`)
}

async function takePicture(page: Page, path: string): Promise<void> {
  await eventually(() =>
    page.evaluate("[...document.images].every((image) => image.complete || image.loading === 'lazy')"),
  )
  await waitForLayout(page)
  await page.screenshot({ path })
}
