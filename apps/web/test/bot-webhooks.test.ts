import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { BotType } from '@oxbow/contract'
import { eventually } from '@oxbow/testkit'
import { checkLooks } from './check-looks.ts'
import { startClientSite } from './open-client.ts'
import { readWholeDevice } from './read-device.ts'
import { deliver, driveWebhookPages, listMessages } from './webhook-pages.ts'

const site = await startClientSite()
after(() => site[Symbol.asyncDispose]())
const { world } = site
const iris = await world.person('iris')
const garden = await world.stream('garden', { members: [iris] })
const bot = await world.bot('herald', iris, BotType.incomingWebhook)

const context = await site.newContext({ serviceWorkers: 'allow' })
await site.signInTo(context, iris)
const page = await site.openTab(context, `#bots/${bot.user_id}/general`)
const { button, field, rows, shownUrl, open, openFailures, showUrl } = driveWebhookPages(page)

test('a URL is built by keyboard, and a delivery to it posts to the stream and topic', async () => {
  await page.getByRole('link', { name: 'URL', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/#bots/${bot.user_id}/url`)
  await field('Service').selectOption({ label: 'Hello World' })
  await field('Post to').selectOption({ label: garden.name })
  await field('Topic optional').focus()
  await page.keyboard.type('roses & beds')
  assert.ok(!(await page.content()).includes(bot.api_key))
  await button('Show the URL').focus()
  await page.keyboard.press('Enter')

  const url = new URL(await shownUrl.innerText())
  assert.equal(`${url.origin}${url.pathname}`, `${site.url}/api/v1/external/helloworld`)
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    api_key: bot.api_key,
    stream: String(garden.stream_id),
    topic: 'roses & beds',
  })
  assert.equal(await deliver(url), 200)
  const [message] = await listMessages(iris, garden.name)
  assert.deepEqual([message?.sender_id, message?.subject], [bot.user_id, 'roses & beds'])

  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.bringToFront()
  await button('Copy the URL').click()
  await eventually(async () => (await page.evaluate('navigator.clipboard.readText()')) === url.href)
  await button('Hide').click()
  await shownUrl.waitFor({ state: 'detached' })
  assert.ok(!(await page.content()).includes(bot.api_key))
  await page.getByRole('link', { name: 'Guide for Hello World' }).waitFor()
})

test('a test is delivered to the chosen stream', async () => {
  await open(bot, 'url')
  await field('Service').selectOption({ label: 'GitHub' })
  await field('Post to').selectOption({ label: garden.name })
  await field('Topic optional').fill('tests')
  await button('Send a test').click()
  await page.getByText('The test was posted.').waitFor()
  assert.equal((await listMessages(iris, garden.name)).at(-1)?.subject, 'tests')
})

test('the URL names the chosen events, unless all are chosen', async () => {
  const url = await showUrl(bot, 'Alertmanager')
  assert.deepEqual([...url.searchParams.keys()], ['api_key'])
  await field('resolved').uncheck()
  await shownUrl.filter({ hasText: 'only_events' }).waitFor()
  assert.equal(new URL(await shownUrl.innerText()).searchParams.get('only_events'), '["firing"]')
  await button('Choose none').click()
  await page.getByText('Choose at least one event.').waitFor()
  assert.equal(await button('Show the URL').count(), 0)
  await button('Choose all').click()
  await button('Show the URL').click()
  assert.equal(await shownUrl.innerText(), url.href)
})

test('many events are listed on request', async () => {
  const url = await showUrl(bot, 'GitHub')
  assert.equal(await field('push_commits').isVisible(), false)
  const events = page.locator('summary', { hasText: /Events \d+ of \d+ chosen/ })
  await events.focus()
  await page.keyboard.press('Enter')
  await button('Choose none').click()
  await events.filter({ hasText: 'Events 0 of' }).waitFor()
  await field('push_commits').check()
  await button('Show the URL').click()
  url.searchParams.set('only_events', '["push_commits"]')
  assert.deepEqual([...new URL(await shownUrl.innerText()).searchParams], [...url.searchParams])
})

test('the URL of a service that signs in with HTTP Basic has no key', async () => {
  await open(bot, 'url')
  await field('Service').selectOption({ label: 'Zendesk' })
  assert.equal(await shownUrl.innerText(), `${site.url}/api/v1/external/zendesk`)
  await page.locator('section:has(h2:text-is("URL"))').getByText(bot.email).waitFor()
  await button('Show the key').click()
  await shownUrl.filter({ hasText: bot.api_key }).waitFor()
})

test('with a secret, unsigned deliveries are refused and cannot be delivered again', async () => {
  const url = await showUrl(bot, 'GitHub')
  url.searchParams.set('stream', garden.name)
  const ping = { zen: 'x', hook: { type: 'Repository' }, repository: { name: 'beds' } }
  const deliverPing = () => deliver(url, ping, { 'x-github-event': 'ping' })
  await button('Save the secret').click()
  await page.locator('.Field-problem', { hasText: 'Enter the secret.' }).waitFor()
  await field('Secret').fill('rosebud-secret')
  await page.keyboard.press('Enter')
  await page.getByText('The bot posts only deliveries that are signed with this secret.').waitFor()
  assert.equal(await field('Secret').inputValue(), '')
  assert.equal(await deliverPing(), 400)
  await button('Send a test').click()
  await page.getByText('This bot accepts only signed deliveries').waitFor()

  await openFailures(bot, 2)
  const unsigned = rows.filter({ hasText: 'GitHub' })
  await unsigned.getByText('because it was not signed with the secret').waitFor()
  assert.equal(await button(/^Deliver/).count(), 0)

  await open(bot, 'url')
  await button('Remove the secret').click()
  await page.getByText('The bot also posts deliveries without a signature.').waitFor()
  assert.equal(await deliverPing(), 200)
})

test('no key or secret of the bot is stored on the device', async () => {
  await showUrl(bot, 'Hello World')
  await iris.bots.update({ bot_id: bot.user_id, full_name: 'Town Crier' })
  // The name is stored with or after all earlier changes.
  const stored = await eventually(async () => {
    const all = await readWholeDevice(page)
    return all.includes('Town Crier') && all
  })
  for (const secret of [bot.api_key, 'rosebud-secret']) assert.ok(!stored.includes(secret))
})

test('the pages General and URL are accessible in all looks', async () => {
  await open(bot, 'general')
  await checkLooks(page, 'webhook-general')
  await showUrl(bot, 'GitHub')
  await field('Post to').selectOption({ label: garden.name })
  await field('Service').scrollIntoViewIfNeeded()
  await checkLooks(page, 'webhook-url')
})

test('the page URL does not violate the content security policy', () => {
  assert.deepEqual(site.problems, [])
})
