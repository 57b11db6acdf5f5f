import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { chromiumFlags, findChromium } from '@oxbow/testkit/chromium'
import { chromium, type Page } from 'playwright-core'
import { pictureName, typicalCases } from '../test/cases/forms.ts'
import { type Case, cases } from '../test/cases/index.ts'

// Draws examples of each group of cases in a browser, for the help page. Run it with `npm run pictures`.
const target = join(import.meta.dirname, '../../../apps/server/static/markdown')
const katex = dirname(createRequire(import.meta.url).resolve('katex/dist/katex.min.css'))
const css = readFileSync(join(import.meta.dirname, '../styles/message.css'), 'utf8')
const origin = 'https://chat.example/'

/** Shown in place of every picture that a text refers to. */
const placeholder = `<svg xmlns="http://www.w3.org/2000/svg" width="160" height="100"><rect width="160" height="100" fill="#cfe3ea"/>
  <circle cx="120" cy="30" r="14" fill="#f5d76e"/><path d="M0,100 L50,45 L85,80 L110,60 L160,100 Z" fill="#7fae9b"/></svg>`

const browser = await chromium.launch({
  executablePath: findChromium(),
  args: [...chromiumFlags],
})
const page = await browser.newPage({ viewport: { width: 620, height: 900 } })
await page.route('**', (route) => {
  const url = route.request().url()
  if (url.startsWith(`${origin}katex/`))
    return route.fulfill({ path: join(katex, url.slice(`${origin}katex/`.length)) })
  if (url === origin)
    return route.fulfill({ contentType: 'text/html', body: '<!doctype html><meta charset="utf-8"><body>' })
  return route.fulfill({ contentType: 'image/svg+xml', body: placeholder })
})
await page.goto(origin)

rmSync(target, { recursive: true, force: true })
mkdirSync(target, { recursive: true })
for (const [group, members] of Object.entries(Object.groupBy(cases, (testCase) => testCase.group))) {
  await draw(page, group, typicalCases(members ?? []))
}
await browser.close()

async function draw(page: Page, group: string, shown: Case[]): Promise<void> {
  const rows = shown.map(({ html }) => `<div class="message">${html}</div>`).join('<hr class="between">')
  await page.setContent(
    `<!doctype html><meta charset="utf-8"><link rel="stylesheet" href="${origin}katex/katex.min.css">
     <style>${css} body { margin: 0 } #form { display: inline-block; padding: 10px 14px; max-width: 560px }
     hr.between { border: 0; border-top: 1px dashed #dde3e6; margin: 8px 0 }</style><div id="form">${rows}</div>`,
    { waitUntil: 'networkidle' },
  )
  // Clients show the picture of an emoji by its class. Here the system's font draws the emoji instead.
  await page.$$eval('span.emoji', (spans) => {
    for (const span of spans) {
      const code = /emoji-([0-9a-f-]+)/.exec(span.className)?.[1]
      ;(span as HTMLElement).style.fontFamily = 'Noto Color Emoji'
      if (code)
        span.textContent = String.fromCodePoint(...code.split('-').map((part) => Number.parseInt(part, 16)))
    }
  })
  writeFileSync(join(target, pictureName(group)), await page.locator('#form').screenshot())
}
