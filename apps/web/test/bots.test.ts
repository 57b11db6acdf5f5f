import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import { eventually, pngOf } from '@oxbow/testkit'
import { findOutgoingService } from '../src/client/account/own-bots.ts'
import { checkLooks } from './check-looks.ts'
import { findAccessProblems, goTo, startClientSite, takePicture } from './open-client.ts'

const site = await startClientSite()
after(() => site[Symbol.asyncDispose]())
const { world } = site
const [iris, otto] = [await world.person('iris'), await world.person('otto')]
const garden = await world.stream('garden', { members: [iris] })

const page = await site.openAs(iris, '#settings/bots')
/** Another tab of the same browser, which shows the list of bots. */
const second = await site.openTab(page.context(), '#settings/bots')

const button = (name: string) => page.getByRole('button', { name, exact: true })
const field = (name: string) => page.getByLabel(name, { exact: true })
const rowOf = (name: string) => second.locator('.SettingList-row', { hasText: name })

/** Requests the account of an API key from a node; returns the status and the name. */
async function useKey(email: string, key: string): Promise<[number, string | undefined]> {
  // The page uses the other node.
  await world.settled()
  const authorization = `Basic ${btoa(`${email}:${key}`)}`
  const response = await fetch(`${world.nodes.a.url}/api/v1/users/me`, { headers: { authorization } })
  const { full_name } = (await response.json()) as { full_name?: string }
  return [response.status, full_name]
}

/** Shows the API key on the page of a bot and returns it. */
async function showKey(): Promise<string> {
  await button('Show the key').click()
  return page.locator('section:has(h2:text-is("API key")) .Secret-value').innerText()
}

/** Returns the bots of Iris as the server sees them. */
async function listBots() {
  return (await iris.events.register({ fetch_event_types: ['realm_bot'] })).realm_bots ?? []
}

async function findBot(name: string) {
  const bot = (await listBots()).find(({ full_name }) => full_name === name)
  assert.ok(bot, `${name} is not among the bots`)
  return bot
}

async function openBot(name: string): Promise<void> {
  await goTo(page, `#bots/${(await findBot(name)).user_id}/general`)
  await page.locator('h1', { hasText: name }).waitFor()
}

test('a generic bot is created by keyboard, and its key is shown and works', async () => {
  await page.getByText('You have no bots.').waitFor()
  await page.getByRole('radio', { name: 'Generic bot' }).focus()
  await page.keyboard.press('Tab')
  await page.keyboard.type('Herald')
  await page.keyboard.press('Tab')
  await page.keyboard.type('herald')
  await page.keyboard.press('Enter')
  await page.locator('h1', { hasText: 'Herald' }).waitFor()

  const bot = await findBot('Herald')
  assert.equal(page.url(), `${site.url}/#bots/${bot.user_id}/general`)
  assert.equal(bot.bot_type, 1)
  await rowOf('Herald').getByText('Generic bot').waitFor()
  await rowOf('Herald').getByText(bot.email).waitFor()
  assert.ok(!(await page.content()).includes(bot.api_key))
  const key = await showKey()
  assert.deepEqual(await useKey(bot.email, key), [200, 'Herald'])
})

test('the configuration file has address, key and server of the bot', async () => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const { email, api_key } = await findBot('Herald')
  const expected = `[api]\nemail=${email}\nkey=${api_key}\nsite=${site.url}\n`
  const [download] = await Promise.all([page.waitForEvent('download'), button('Save the file').click()])
  assert.equal(download.suggestedFilename(), 'herald.zuliprc')
  assert.equal(await readFile(await download.path(), 'utf8'), expected)
  await page.bringToFront()
  await button('Copy the content').click()
  await eventually(async () => (await page.evaluate('navigator.clipboard.readText()')) === expected)
})

test('a replaced key is shown, and the old one is refused at once', async () => {
  const { email, api_key: old } = await findBot('Herald')
  await button('Replace the key').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  assert.deepEqual(await useKey(email, old), [200, 'Herald'])

  await button('Replace the key').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Replace the key' }).click()
  const shown = page.locator('.Secret-value')
  await eventually(async () => (await shown.innerText()) !== old)
  assert.equal((await useKey(email, old))[0], 401)
  assert.deepEqual(await useKey(email, await shown.innerText()), [200, 'Herald'])
})

test('name and picture of a bot are changed, and another tab shows them', async () => {
  await field('Full name').fill((await iris.users.me()).full_name)
  await button('Save the name').click()
  await page.locator('.Field-problem', { hasText: 'Name is already in use!' }).waitFor()
  await eventually(() => page.evaluate("document.activeElement.name === 'full_name'"))
  await field('Full name').fill('Town Crier')
  await page.keyboard.press('Enter')
  await page.getByText('The name was saved.').waitFor()
  await rowOf('Town Crier').waitFor()

  const picture = { name: 'crier.png', mimeType: 'image/png', buffer: pngOf(40, 30) }
  await page.setInputFiles('input[type=file]', { ...picture, buffer: Buffer.from('no picture') })
  await page.locator('.Picture [role=alert]').waitFor()
  // The browser may find the error before the server, and the next upload begins after this one.
  await button('Choose a picture').waitFor()
  await page.setInputFiles('input[type=file]', picture)
  await page.getByText('The picture was changed.').waitFor()
  await rowOf('Town Crier').locator('.Avatar img').waitFor()
})

test('an incoming webhook is created, and posts with its key', async () => {
  await goTo(page, '#settings/bots')
  await page.getByRole('radio', { name: 'Incoming webhook' }).check()
  await field('Full name').fill('Builder')
  await field('Short name').fill('my builder')
  await button('Create the bot').click()
  await page.locator('.Field-problem', { hasText: 'letters from a to z' }).waitFor()
  await field('Short name').fill('herald')
  await button('Create the bot').click()
  await page.locator('.Field-problem', { hasText: 'Another account has this short name' }).waitFor()
  await field('Short name').fill('builder')
  await button('Create the bot').click()
  await page.locator('h1', { hasText: 'Builder' }).waitFor()
  await page.getByRole('link', { name: 'Failures 0' }).waitFor()

  const query = new URLSearchParams({ api_key: await showKey(), stream: garden.name, topic: 'builds' })
  const response = await fetch(`${world.nodes.a.url}/api/v1/external/helloworld?${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ featured_title: 'Rose', featured_url: 'https://rose.example/' }),
  })
  assert.equal(response.status, 200, await response.text())
})

test('an outgoing webhook is created with a URL, which is changed with the format of its calls', async () => {
  await goTo(page, '#settings/bots')
  await page.getByRole('radio', { name: 'Outgoing webhook' }).check()
  await field('Full name').fill('Parrot')
  await field('Short name').fill('parrot')
  await field('URL').fill('parrot')
  await button('Create the bot').click()
  await page.locator('.Field-problem', { hasText: 'Enter the whole URL' }).waitFor()
  await eventually(() => page.evaluate("document.activeElement.name === 'payload_url'"))
  await field('URL').fill('https://parrot.example/')
  await button('Create the bot').click()
  await page.locator('h1', { hasText: 'Parrot' }).waitFor()

  const made = findOutgoingService(await findBot('Parrot'))
  assert.deepEqual([made?.base_url, made?.interface], ['https://parrot.example/', 1])
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let requestCount = 0
  await page.route('**/api/v1/register', async (request) => {
    requestCount++
    await released
    await request.continue()
  })
  await button('Show the token').dblclick()
  release()
  assert.equal(await page.locator('.Secret-value').innerText(), made?.token)
  assert.equal(requestCount, 1, 'the second click makes no request while the first is waiting')
  await page.unroute('**/api/v1/register')

  await field('URL').fill('parakeet.example')
  await button('Save').click()
  await page.locator('.Field-problem', { hasText: 'Enter the whole URL' }).waitFor()
  await field('URL').fill('https://parakeet.example/')
  await field('Format of the calls').selectOption('Slack (form fields)')
  await button('Save').click()
  await page.getByText('The next message uses this.').waitFor()
  assert.deepEqual(findOutgoingService(await findBot('Parrot')), {
    ...made,
    base_url: 'https://parakeet.example/',
    interface: 2,
  })
})

test('a bot is deactivated after a confirmation and activated again', async () => {
  const { email, api_key } = await findBot('Parrot')
  await button('Deactivate').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate', exact: true }).click()
  await page.waitForURL('**/#settings/bots')
  for (const tab of [page, second])
    await tab.locator('section:has(h2:text-is("Deactivated bots")) li', { hasText: 'Parrot' }).waitFor()
  assert.equal((await useKey(email, api_key))[0], 401)

  await button('Activate Parrot again').click()
  await second.getByRole('link', { name: 'Manage Parrot' }).waitFor()
  await page.getByText('Deactivated bots').waitFor({ state: 'detached' })
  assert.deepEqual(await useKey(email, api_key), [200, 'Parrot'])
})

test('the policy of the organization limits the types or explains why no bot can be created', async () => {
  const setPolicy = (bot_creation_policy: number) =>
    world.owner.organization.update({ bot_creation_policy: bot_creation_policy as never })
  await goTo(page, '#settings/bots')
  await setPolicy(2)
  await page.getByText('In this organization only administrators create generic bots.').waitFor()
  assert.deepEqual(
    await page
      .getByRole('radio')
      .evaluateAll((all) => all.map((radio) => (radio as { value?: string }).value)),
    ['2', '3'],
  )
  await setPolicy(3)
  await page.getByText('In this organization only administrators create bots.').waitFor()
  assert.equal(await button('Create the bot').count(), 0)
  await setPolicy(1)
  await page.getByRole('radio', { name: 'Generic bot' }).waitFor()
})

test('the page of a bot that belongs to somebody else explains that it cannot be managed', async () => {
  const robin = await world.bot('robin', otto)
  await goTo(page, `#bots/${robin.user_id}/general`)
  await page.getByText('This is not one of your bots').waitFor()
})

test('an owner who became a guest is told that guests cannot manage bots', async () => {
  const { user_id } = await findBot('Parrot')
  await goTo(page, `#bots/${user_id}/general`)
  await button('Show the key').waitFor()
  await world.owner.users.update({ user_id: iris.user_id, role: 600 })
  await page.getByText('Guests cannot manage bots.').waitFor()
  await page.locator('.BotView-address', { hasText: 'parrot-bot@' }).waitFor()
  await button('Show the key').waitFor({ state: 'detached' })

  await world.owner.users.update({ user_id: iris.user_id, role: 400 })
  await button('Show the key').waitFor()
})

test('a bot that gets another owner disappears from its page with its key', async () => {
  await goTo(page, '#settings/bots')
  await field('Full name').fill('Cuckoo')
  await field('Short name').fill('cuckoo')
  await button('Create the bot').click()
  await page.locator('h1', { hasText: 'Cuckoo' }).waitFor()
  await showKey()

  const { user_id } = await findBot('Cuckoo')
  await world.owner.bots.update({ bot_id: user_id, bot_owner_id: otto.user_id })
  await page.getByText('This is not one of your bots').waitFor()
  assert.equal(await page.locator('.Secret-value').count(), 0)
})

test('a long name of a bot is cut in the header, and wrapped in the list', async () => {
  const { user_id } = await iris.bots.create({ full_name: 'Longtail'.repeat(7), short_name: 'l'.repeat(60) })
  await page.setViewportSize({ width: 390, height: 800 })
  for (const hash of [`#bots/${user_id}/general`, '#settings/bots']) {
    await goTo(page, hash)
    await page.locator('#main', { hasText: `${'l'.repeat(60)}-bot@` }).waitFor()
    assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'))
    const title = "document.querySelector('.ViewFrame-title')"
    assert.ok(await page.evaluate(`${title}.scrollWidth <= ${title}.clientWidth`), hash)
  }
  await page.setViewportSize({ width: 1280, height: 720 })
})

test('the pages of bots are accessible with all that they can show', async () => {
  await iris.bots.deactivate({ bot_id: (await findBot('Builder')).user_id })
  await goTo(page, '#settings/bots')
  await button('Activate Builder again').waitFor()
  await checkLooks(page, 'bots')
  await openBot('Parrot')
  await checkLooks(page, 'bot')
  await button('Show the token').click()
  await showKey()
  await checkLooks(page, 'bot-secrets')
  await button('Replace the key').click()
  await page.getByRole('dialog').waitFor()
  await takePicture(page, 'bot-replace')
  assert.deepEqual(await findAccessProblems(page), [])
  await page.keyboard.press('Escape')
  await eventually(() => page.evaluate("document.activeElement.textContent === 'Replace the key'"))
})

test('no page of bots violates the content security policy', () => {
  assert.deepEqual(site.problems, [])
})
