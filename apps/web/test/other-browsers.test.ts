import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Person, startTcpProxy, startWorld } from '@oxbow/testkit'
import { bySize } from '@oxbow/testkit/size'
import {
  click,
  type DrivenBrowser,
  keys,
  press,
  turnWheel,
  type,
  waitFor,
  waitUntil,
} from './browsers/driven-browser.ts'
import { hasFirefox, startFirefox } from './browsers/firefox.ts'
import { hasWebKit, startWebKit } from './browsers/webkit.ts'

/** Number of messages through which the test scrolls up. */
const messageCount = 300
/** The gate installs Chromium only. */
const isLong = bySize({ gate: false, long: true })

interface Scene extends AsyncDisposable {
  iris: Person
  port: number
  hash: string
  /** Sends a message to the topic that iris reads. */
  send(content: string): Promise<unknown>
}

async function createScene(): Promise<Scene> {
  const world = await startWorld()
  const [iris, otto] = [await world.person('iris'), await world.person('otto')]
  const garden = await world.stream('garden', { members: [iris, otto] })
  const send = (content: string) =>
    otto.messages.send({ type: 'stream', to: garden.name, topic: 'roses', content })
  for (let first = 1; first <= messageCount; first += 10)
    await Promise.all(Array.from({ length: 10 }, (_, index) => send(`Rose ${first + index}.`)))
  await iris.messages.markAllRead()
  return {
    iris,
    send,
    port: Number(new URL(world.nodes.b.url).port),
    hash: `#narrow/stream/${garden.stream_id}-garden/topic/roses`,
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

async function signIn(browser: DrivenBrowser, url: string, { email, password }: Person): Promise<void> {
  await browser.goTo(`${url}/`)
  await click(browser, 'input[name=username]')
  await type(browser, email)
  await click(browser, 'input[name=password]')
  await type(browser, password)
  await press(browser, keys.enter)
  await waitFor(browser, '.App')
}

/** Scrolls up by the wheel until the first message is shown. Returns the ids of all messages on the way. */
async function readUpward(browser: DrivenBrowser): Promise<number[]> {
  const seen = new Set<number>()
  const first = '.MessageList-scroller [data-id]'
  for (let turn = 0; turn < 200; turn++) {
    for (const id of await browser.evaluate<number[]>(
      `[...document.querySelectorAll('.Row[data-id]')].map((row) => Number(row.dataset.id))`,
    ))
      seen.add(id)
    const isAtTop = `document.querySelector('.MessageList-scroller').scrollTop <= 1 && document.querySelector('${first}')?.textContent.includes('Rose')`
    if (seen.size >= messageCount && (await browser.evaluate<boolean>(`Boolean(${isAtTop})`))) break
    await turnWheel(browser, '.MessageList-scroller', -500)
  }
  return [...seen]
}

async function write(browser: DrivenBrowser, text: string): Promise<void> {
  await click(browser, '.Composer .WritingField-text')
  await type(browser, text)
  await press(browser, keys.control, keys.enter)
}

for (const { name, packages, isInstalled, start } of [
  { name: 'Firefox', packages: 'firefox-esr', isInstalled: hasFirefox, start: startFirefox },
  { name: 'WebKit', packages: 'webkit2gtk-driver xvfb', isInstalled: hasWebKit, start: startWebKit },
])
  test(`${name} signs in, reads 300 messages, writes, and catches up after an outage of the server`, {
    skip: !isLong && 'part of the long lane',
  }, async () => {
    assert.ok(isInstalled, `apt-get install ${packages}`)
    await using scene = await createScene()
    const { port, hash, send } = scene
    await using proxy = await startTcpProxy(port)
    await using browser = await start()

    await signIn(browser, `http://127.0.0.1:${proxy.port}`, scene.iris)
    await browser.evaluate('window.marker = 1')
    await browser.evaluate(`location.hash = ${JSON.stringify(hash)}`)
    await waitFor(browser, '.Row[data-id]', `Rose ${messageCount}.`)
    const seen = await readUpward(browser)
    assert.ok(seen.length >= messageCount, `${seen.length} messages`)

    await write(browser, `Written in ${name}`)
    await waitFor(browser, '.Row[data-id]', `Written in ${name}`)

    proxy.close()
    await write(browser, `Written in ${name} without a server`)
    await waitFor(browser, '.Row-unsent', `Written in ${name} without a server`)
    await waitFor(browser, '.OfflineBar')
    await send(`Sent while ${name} had no server`)
    proxy.pointTo(port)

    await waitFor(browser, '.Row[data-id]', `Sent while ${name} had no server`)
    await waitFor(browser, '.Row[data-id]', `Written in ${name} without a server`)
    await waitUntil(browser, `!document.querySelector('.OfflineBar, .Row-unsent')`)
    await send(`Sent to ${name} afterwards`)
    await waitFor(browser, '.Row[data-id]', `Sent to ${name} afterwards`)
    assert.equal(await browser.evaluate('window.marker'), 1)
    const texts = await browser.evaluate<string[]>(
      `[...document.querySelectorAll('.Row .Body')].map((body) => body.textContent.trim())`,
    )
    assert.equal(texts.length, new Set(texts).size, 'no message is shown twice')
    assert.deepEqual(browser.problems, [])
  })
