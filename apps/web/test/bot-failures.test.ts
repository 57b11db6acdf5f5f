import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { BotType } from '@oxbow/contract'
import { eventually, type Person } from '@oxbow/testkit'
import type { Route } from 'playwright-core'
import { checkLooks } from './check-looks.ts'
import { findAccessProblems, startClientSite, takePicture } from './open-client.ts'
import { deliver, driveWebhookPages, listMessages } from './webhook-pages.ts'

const site = await startClientSite()
after(() => site[Symbol.asyncDispose]())
const { world } = site
const [iris, otto] = await world.people('iris', 'otto')
const page = await site.openAs(iris, '#settings/bots')
const { button, rows, openFailures } = driveWebhookPages(page)

let count = 0

/** Creates a webhook and opens its page, which has no failures yet. */
async function openNewBot(): Promise<Person> {
  const bot = await world.bot(`hook${count++}`, iris, BotType.incomingWebhook)
  await openFailures(bot, 0)
  await page.getByText('No delivery was refused').waitFor()
  return bot
}

/** Returns the URL for deliveries of Hello World to a stream. */
function urlOf({ api_key }: Person, stream: string): URL {
  const query = new URLSearchParams({ api_key, stream, topic: 'apples' })
  return new URL(`/api/v1/external/helloworld?${query}`, world.nodes.a.url)
}

test('a refused delivery is listed, and delivered again after its stream was created', async () => {
  const bot = await openNewBot()
  assert.equal(await deliver(urlOf(bot, 'orchard')), 400)
  assert.equal(await deliver(urlOf(bot, 'orchard')), 400)

  await openFailures(bot, 2)
  const first = rows.first()
  await first.getByText('Hello World').waitFor()
  await first.getByText('STREAM_DOES_NOT_EXIST').waitFor()
  await first.getByText("Stream 'orchard' does not exist").waitFor()
  await page.getByRole('link', { name: 'Failures 2' }).waitFor()
  await first.getByRole('button', { name: /^Deliver again/ }).click()
  await first.getByText("Refused again: Stream 'orchard' does not exist").waitFor()

  await world.stream('orchard', { members: [iris] })
  await first.getByRole('button', { name: /^Deliver again/ }).focus()
  await page.keyboard.press('Enter')
  await first.getByText('Delivered: 1 message.').waitFor()
  await eventually(() => page.evaluate("document.activeElement.className === 'Failures-done'"))
  await page.getByRole('link', { name: 'Failures 1' }).waitFor()
  const [message] = await listMessages(iris, 'orchard')
  await first.getByRole('link', { name: 'Show the message' }).click()
  await page.waitForURL(`**/topic/apples/near/${message?.id}`)
  await page.locator('.Row').filter({ hasText: 'The Wikipedia featured article' }).waitFor()

  await openFailures(bot, 1)
})

test('all deliveries are delivered again in the order in which they arrived', async () => {
  const bot = await openNewBot()
  for (const featured_title of ['one', 'two', 'three'])
    assert.equal(
      await deliver(urlOf(bot, 'meadow'), { featured_title, featured_url: 'https://meadow.example/' }),
      400,
    )
  await world.stream('meadow', { members: [iris] })

  await openFailures(bot, 3)
  await button('Deliver all again').click()
  await eventually(async () => (await page.getByText('Delivered: 1 message.').count()) === 3)
  const contents = (await listMessages(iris, 'meadow')).map(({ content }) => content)
  assert.deepEqual(
    contents.map((content) => /\[(\w+)\]/.exec(content)?.[1]),
    ['one', 'two', 'three'],
  )
  await button('Reload').click()
  await page.getByText('No delivery was refused').waitFor()
})

test('if the server does not answer, deliveries stay listed and the others wait', async () => {
  const bot = await openNewBot()
  for (const stream of ['brink', 'brink']) assert.equal(await deliver(urlOf(bot, stream)), 400)
  await world.stream('brink', { members: [iris] })
  await openFailures(bot, 2)
  let requests = 0
  await page.route('**/replay', (route) => {
    requests++
    return route.abort()
  })
  await button('Deliver all again').click()
  await rows.nth(1).getByText('The server does not answer.').waitFor()
  await page.getByText(/^Delivering/).waitFor({ state: 'detached' })
  assert.equal(requests, 1)

  await page.unroute('**/replay')
  const { promise: held, resolve: hold } = Promise.withResolvers<Route>()
  await page.route('**/webhook_failures?*', hold, { times: 1 })
  await button('Reload').click()
  const reload = await held
  assert.equal(await page.locator('.Failures-problem').count(), 1, 'the reason stays until the new list')
  await reload.continue()
  await page.locator('.Failures-problem').waitFor({ state: 'detached' })
  await button('Deliver all again').click()
  await eventually(async () => (await page.getByText('Delivered: 1 message.').count()) === 2)
})

/** Markup that would change the page, and a text that changes the direction. */
const attacks = ['<img src=x onerror="document.title=1">', '</pre><script>alert(1)</script>', '\u202Egnp.exe']

test('hostile and long parts of deliveries are shown as text and do not break the layout', async () => {
  const bot = await openNewBot()
  const url = urlOf(bot, 'garden')
  for (const [index, attack] of attacks.entries()) url.searchParams.set(`x${index}`, attack)
  const payload = { attacks, wide: 'W'.repeat(3_000), id: 1 }
  assert.equal(await deliver(url, payload, { 'user-agent': `<b>${'A'.repeat(500)}</b>` }), 400)
  assert.equal(await deliver(url, 'z'.repeat(200_000)), 400)
  assert.equal(await deliver(url, { more: 'x'.repeat(300_000) }), 400)

  await openFailures(bot, 3)
  await rows.nth(0).getByText('because it was too large to be stored').waitFor()
  assert.equal(
    await rows
      .nth(0)
      .getByRole('button', { name: /^Deliver/ })
      .count(),
    0,
  )
  for (const index of [0, 1, 2])
    await rows
      .nth(index)
      .getByRole('button', { name: /^Details/ })
      .click()
  await rows.nth(0).getByText('The body was not stored.').waitFor()
  await rows.nth(1).getByText('This is only the beginning.').waitFor()
  const [query = '', , body = ''] = await rows.nth(2).locator('pre').allTextContents()
  for (const [index, attack] of attacks.entries()) {
    assert.ok(query.includes(`x${index} = ${attack}`), query)
    assert.ok(body.includes(JSON.stringify(attack)), body)
  }
  assert.match(body, /^\{\n {2}"attacks": \[\n {4}"<img/)
  assert.equal(await page.locator('.Failures :is(img, script, b)').count(), 0)
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await takePicture(page, `webhook-hostile-${width}`)
    assert.deepEqual(await findAccessProblems(page), [], String(width))
  }
})

test('a new owner of a bot sees no content of earlier deliveries', async () => {
  const bot = await openNewBot()
  assert.equal(await deliver(urlOf(bot, 'thicket')), 400)
  await world.owner.bots.update({ bot_id: bot.user_id, bot_owner_id: otto.user_id })
  const other = await site.openAs(otto, `#bots/${bot.user_id}/failures`)
  await other.getByText('Its content is shown only to the owner that the bot had then').waitFor()
  assert.equal(await other.getByRole('button', { name: /^(Details|Deliver)/ }).count(), 0)
})

test('the page Failures is accessible in all looks', async () => {
  const bot = await openNewBot()
  assert.equal(await deliver(urlOf(bot, 'brook'), { text: 'x', list: [1, { a: true }] }), 400)
  for (const stream of ['brook', 'pond']) assert.equal(await deliver(urlOf(bot, stream)), 400)
  await world.stream('pond', { members: [iris] })
  await openFailures(bot, 3)
  await button(/^Deliver all/).click()
  await rows
    .nth(0)
    .getByText(/^Delivered/)
    .waitFor()
  await rows
    .nth(1)
    .getByText(/^Refused again/)
    .waitFor()
  await rows
    .nth(2)
    .getByRole('button', { name: /^Details/ })
    .click()
  await checkLooks(page, 'webhook-failures')
})

test('the page Failures does not violate the content security policy', () => {
  assert.deepEqual(site.problems, [])
})
