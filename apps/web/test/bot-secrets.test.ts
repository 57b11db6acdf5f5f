import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { BotType } from '@oxbow/contract'
import { eventually } from '@oxbow/testkit'
import { startClientSite } from './open-client.ts'
import { readWholeDevice } from './read-device.ts'

const site = await startClientSite()
after(() => site[Symbol.asyncDispose]())
const { world } = site
const [iris, otto] = await world.people('iris', 'otto')

/** Collects all messages that tabs of the account send to each other. */
const listen = `globalThis.heard = []
  globalThis.ear = new BroadcastChannel('oxbow/${iris.user_id}')
  ear.onmessage = ({ data }) => heard.push(data)`

/** Returns the API keys and tokens of all bots of Iris. */
async function listSecrets(): Promise<string[]> {
  const { realm_bots = [] } = await iris.events.register({ fetch_event_types: ['realm_bot'] })
  return realm_bots.flatMap(({ api_key, services }) => [
    api_key,
    ...services.flatMap((service) => ('token' in service ? [service.token] : [])),
  ])
}

test('no key or token of a bot is stored on the device or sent to other tabs', async () => {
  const create = (full_name: string, bot_type: BotType) =>
    iris.bots.create({
      full_name,
      short_name: full_name.toLowerCase(),
      bot_type,
      ...(bot_type === BotType.outgoingWebhook && { payload_url: 'https://parrot.example/' }),
    })
  await create('Herald', BotType.generic)
  await create('Parrot', BotType.outgoingWebhook)
  const context = await site.newContext({ serviceWorkers: 'allow' })
  await site.signInTo(context, iris)
  const page = await site.openTab(context, '#settings/bots')
  await page.getByRole('link', { name: 'Manage Parrot' }).waitFor()
  const secrets = new Set(await listSecrets())
  assert.equal(secrets.size, 3)

  // A tab that was opened later gets a state and events from the first one.
  const second = await site.openTab(context, '#settings/bots')
  await second.evaluate(listen)
  const { user_id } = await create('Magpie', BotType.outgoingWebhook)
  await second.getByRole('link', { name: 'Manage Magpie' }).click()
  await second.getByRole('button', { name: 'Show the token' }).click()
  await second.getByRole('button', { name: 'Show the key' }).click()
  await eventually(async () => (await second.locator('.Secret-value').count()) === 2)
  for (const secret of await listSecrets()) secrets.add(secret)
  for (const shown of await second.locator('.Secret-value').allTextContents()) assert.ok(secrets.has(shown))

  const { api_key } = await iris.bots.regenerateApiKey({ bot_id: user_id })
  secrets.add(api_key)
  await second.locator('.Secret-value', { hasText: api_key }).waitFor()
  await iris.bots.update({ bot_id: user_id, full_name: 'Jackdaw' })
  // The name is stored with or after all earlier changes. The service worker stores the files of the client.
  const stored = await eventually(async () => {
    const all = await readWholeDevice(page)
    return ['Herald', 'Jackdaw', `${site.url}/assets/`].every((text) => all.includes(text)) && all
  })
  const heard = JSON.stringify(await second.evaluate('heard'))
  assert.match(heard, /Jackdaw/)
  assert.equal(secrets.size, 6)
  for (const secret of secrets) {
    assert.ok(secret.length >= 20)
    assert.ok(!stored.includes(secret))
    assert.ok(!heard.includes(secret))
  }

  // The page that starts from the device fetches the key again.
  await second.reload()
  await second.getByRole('button', { name: 'Show the key' }).click()
  await second.locator('.Secret-value', { hasText: api_key }).waitFor()
  await second.getByRole('button', { name: 'Hide' }).click()
  await second.locator('.Secret-value').waitFor({ state: 'detached' })
})

test('keys and tokens are hidden when the document is left, another account signs in or the session ends', async () => {
  const { user_id } = await iris.bots.create({
    full_name: 'Owl',
    short_name: 'owl',
    bot_type: BotType.outgoingWebhook,
    payload_url: 'https://owl.example/',
  })
  const context = await site.newContext()
  await site.signInTo(context, iris)
  const page = await site.openTab(context, `#bots/${user_id}/general`)
  const secrets = page.locator('.Secret-value')
  const show = async () => {
    await page.getByRole('button', { name: 'Show the token' }).click()
    await page.getByRole('button', { name: 'Show the key' }).click()
    await eventually(async () => (await secrets.count()) === 2)
  }
  await show()
  // The browser may keep the document and show it again when the user goes back.
  await page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
  await eventually(async () => (await secrets.count()) === 0)

  await show()
  await site.signInTo(context, otto)
  await eventually(async () => (await secrets.count()) === 0)

  await site.signInTo(context, iris)
  await page.reload()
  await show()
  await world.owner.users.deactivate({ user_id: iris.user_id })
  await page.locator('.SessionEnded').waitFor()
  await eventually(async () => (await secrets.count()) === 0)
})
