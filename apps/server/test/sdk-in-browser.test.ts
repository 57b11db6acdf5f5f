import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { signIn, startWorld } from '@oxbow/testkit'
import { borrowBrowser } from '@oxbow/testkit/browser'
import { build } from 'esbuild'
import type { Page } from 'playwright-core'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())

/** Follows events in the page. `received` collects the content of messages and other occurrences. */
const script = `
  import { createBrowserClient, followEventsInBrowser, RequestError, wakeWithBrowser } from '@oxbow/sdk/browser'
  const received = (globalThis.received = [])
  const options = { url: '', credentials: 'session', onSignedOut: () => received.push('signed out') }
  globalThis.client = createBrowserClient(options)
  globalThis.nameOfError = (call) => call.then(String, (error) => error instanceof RequestError && error.name)
  const saved = sessionStorage.getItem('state')
  const follower = followEventsInBrowser(options, {
    transport: 'stream',
    registration: { fetch_event_types: ['message'], apply_markdown: true },
    keepsQueue: true,
    ...(saved && { resume: JSON.parse(saved) }),
  })
  wakeWithBrowser(follower)
  const follow = async () => {
    for await (const followed of follower) {
      received.push(followed.kind === 'event' ? followed.event.message?.content ?? followed.event.type : 'state')
      sessionStorage.setItem('state', JSON.stringify(followed.state))
    }
  }
  follow().catch((error) => received.push(error.name))
`

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  })
  return outputFiles[0]?.text ?? ''
}

const received = (page: Page) => page.evaluate<string[]>('globalThis.received')
const waitFor = (page: Page, entry: string) =>
  page.waitForFunction(`globalThis.received?.includes(${JSON.stringify(entry)})`, undefined, {
    timeout: 90_000,
  })

test('the SDK follows events in Chromium with a session, also after a reload, until the session ends', async () => {
  const [iris, otto] = await world.people('iris-in-chromium', 'otto-in-chromium')
  const garden = await world.stream('garden-in-chromium', { members: [iris, otto] })
  const send = (content: string) =>
    otto.on('b').messages.send({ type: 'stream', to: [garden.stream_id], topic: 'roses', content })
  const origin = world.nodes.a.url
  const { cookie } = await signIn(world, iris)
  const [name = '', value = ''] = cookie.split('=')
  const body = await bundle()
  await using borrowed = await borrowBrowser()
  const context = await borrowed.browser.newContext()
  await context.addCookies([{ name, value, url: origin, httpOnly: true, sameSite: 'Lax' }])
  await context.route(`${origin}/page`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: '<!doctype html><script type="module" src="/page.js"></script>',
    }),
  )
  await context.route(`${origin}/page.js`, (route) => route.fulfill({ contentType: 'text/javascript', body }))
  const page = await context.newPage()
  await page.goto(`${origin}/page`)
  await waitFor(page, 'state')

  await send('Pruned.')
  await waitFor(page, '<p>Pruned.</p>')
  await page.goto('about:blank')
  await send('Watered.')
  await page.goto(`${origin}/page`)
  await waitFor(page, '<p>Watered.</p>')
  const afterReload = await received(page)
  const topic = 'x'.repeat(61)
  const draft = { type: 'stream', to: [garden.stream_id], topic, content: 'x' }
  const refused = await page.evaluate(`nameOfError(client.messages.send(${JSON.stringify(draft)}))`)
  await page.evaluate('client.sessions.endCurrent()')
  await waitFor(page, 'signed out')

  assert.deepEqual(afterReload, ['<p>Watered.</p>'])
  assert.equal(refused, 'TOPIC_TOO_LONG')
})
