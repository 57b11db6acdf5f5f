import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { MessageId } from '@oxbow/contract'
import { eventually } from '@oxbow/testkit'
import type { Route } from 'playwright-core'
import {
  applyLook,
  findAccessProblems,
  looks,
  startClientSite,
  takePicture,
  waitForLayout,
} from './open-client.ts'

const site = await startClientSite()
after(() => site[Symbol.asyncDispose]())
const { world } = site
const iris = await world.person('iris')
const garden = await world.stream('garden', { members: [iris] })

const page = await site.openAs(iris, `#narrow/stream/${garden.stream_id}-garden/topic/roses`)
const field = page.locator('.Composer .WritingField-text')
const edit = page.locator('.EditRow .WritingField-text')
const messagePath = '**/api/v1/messages/*'

/** Sends a message, and waits until a new page shows it. */
async function show(content: string): Promise<MessageId> {
  const { id } = await iris.messages.send({ type: 'stream', to: garden.name, topic: 'roses', content })
  await page.reload()
  await page.waitForSelector(`.Row[data-id="${id}"]`)
  return id
}

const fetchText = async (message_id: MessageId): Promise<string> =>
  (await iris.messages.getRaw({ message_id, apply_markdown: false })).raw_content

/** Opens the editor of the newest message, and waits until it contains a text. */
async function openEditor(text: string): Promise<void> {
  await field.focus()
  await page.keyboard.press('ArrowUp')
  await page.waitForSelector('.EditRow .WritingField-text:focus')
  await eventually(async () => (await edit.inputValue()) === text)
}

async function save(text: string): Promise<void> {
  await edit.fill(text)
  await page.keyboard.press('Control+Enter')
  await edit.waitFor({ state: 'detached' })
}

/** Holds the next request that saves an edit. The returned function passes it to the server, or refuses it. */
async function holdSave(): Promise<(answer: 'accept' | 'refuse') => Promise<void>> {
  const { promise: held, resolve: hold } = Promise.withResolvers<Route>()
  await page.route(messagePath, (route) =>
    route.request().method() === 'PATCH' ? hold(route) : route.continue(),
  )
  return async (answer) => {
    const route = await held
    const answered = page.waitForResponse((response) => response.request() === route.request())
    const json = { result: 'error', code: 'BAD_REQUEST', msg: 'Too late to edit.' }
    await (answer === 'refuse' ? route.fulfill({ status: 400, json }) : route.continue())
    await (await answered).finished()
    await page.unroute(messagePath)
    await waitForLayout(page)
  }
}

test('a text that is typed while the previous edit is saved stays in the field', async () => {
  const id = await show('first')
  const answer = await holdSave()
  await openEditor('first')
  await save('second')
  await openEditor('second')
  await page.keyboard.type(' and more')
  await answer('accept')
  assert.equal(await edit.inputValue(), 'second and more')
  await page.keyboard.press('Control+Enter')
  await eventually(async () => (await fetchText(id)) === 'second and more')
})

test('a refused edit leaves the focus in the composer, and its text returns when the editor is opened', async () => {
  await show('first')
  const answer = await holdSave()
  await openEditor('first')
  await save('second')
  await field.focus()
  await page.keyboard.type('Also')
  await answer('refuse')
  await page.keyboard.type(' this')
  assert.equal(await field.inputValue(), 'Also this')
  await page.locator('.RefusedAction-line', { hasText: 'Too late to edit.' }).waitFor()
  await field.fill('')
  await openEditor('second')
  await page.locator('.EditRow-reason', { hasText: 'Too late to edit.' }).waitFor()
})

test('a refused edit opens its editor again if the user does not write elsewhere', async () => {
  await show('first')
  const answer = await holdSave()
  await openEditor('first')
  await save('second')
  await answer('refuse')
  await page.locator('.EditRow-reason', { hasText: 'Too late to edit.' }).waitFor()
  assert.equal(await edit.inputValue(), 'second')
})

test('a text that was opened and not changed is fetched again when it is opened later', async () => {
  const message_id = await show('first')
  await openEditor('first')
  await page.keyboard.press('Escape')
  await edit.waitFor({ state: 'detached' })
  await iris.messages.edit({ message_id, content: 'from the phone' })
  await page.waitForSelector('.Row[data-id]:has-text("from the phone")')
  await openEditor('from the phone')
})

/** Holds requests for the text of a message. The returned function passes them to the server. */
async function holdSource(): Promise<() => Promise<void>> {
  const held: Route[] = []
  const hold = (route: Route) => void held.push(route)
  await page.route(messagePath, hold)
  return async () => {
    for (const route of held) await route.continue()
    await page.unroute(messagePath, hold)
  }
}

test('while the text of a message is loading, its editor has the focus, says so and takes no text', async () => {
  await show('On Monday')
  const release = await holdSource()
  await field.focus()
  await page.keyboard.press('ArrowUp')
  await page.waitForSelector('.EditRow[aria-busy=true] .WritingField-text:focus')
  assert.equal(await edit.getAttribute('placeholder'), 'Loading the text…')
  assert.equal(await page.getByRole('button', { name: 'Save' }).isDisabled(), true)
  for (const [name, width] of [
    ['light', 360],
    ['dark', 1024],
  ] as const) {
    await page.setViewportSize({ width, height: 640 })
    await applyLook(page, looks[name])
    await takePicture(page, `editing-loading-${name}`)
    assert.deepEqual(await findAccessProblems(page, '.MessageList'), [])
  }
  await page.keyboard.type('or Tuesday')
  assert.deepEqual([await edit.inputValue(), await field.inputValue()], ['', ''])
  await release()
  await page.waitForSelector('.EditRow[aria-busy=false] .WritingField-text:focus')
  await page.keyboard.type(' at ten')
  assert.equal(await edit.inputValue(), 'On Monday at ten')
  await page.keyboard.press('Control+Enter')
  await edit.waitFor({ state: 'detached' })
  await page.waitForSelector('.Composer .WritingField-text:focus')
})

test('a message that was just sent is edited without waiting for its text', async () => {
  await field.fill('To morow')
  await page.keyboard.press('Control+Enter')
  const row = page.locator('.Row[data-id]:has-text("To morow")')
  await row.waitFor()
  const release = await holdSource()
  await openEditor('To morow')
  await page.keyboard.press('Escape')
  await page.waitForSelector('.Composer .WritingField-text:focus')
  await release()

  // Its text is fetched once it was edited elsewhere.
  const message_id = Number(await row.getAttribute('data-id')) as MessageId
  await iris.messages.edit({ message_id, content: 'Tomorrow' })
  await page.waitForSelector('.Row[data-id]:has-text("Tomorrow")')
  await openEditor('Tomorrow')
  await page.keyboard.press('Escape')
})

test('closing or reloading the page asks for confirmation only while a changed text is not saved', async () => {
  const id = await show('first')
  const isAsked = () => page.evaluate("!dispatchEvent(new Event('beforeunload', { cancelable: true }))")
  await openEditor('first')
  assert.equal(await isAsked(), false)
  await page.keyboard.type(', changed')
  assert.equal(await isAsked(), true)
  await page.keyboard.press('Escape')
  assert.equal(await isAsked(), true)
  await openEditor('first, changed')
  await page.keyboard.press('Control+Enter')
  await eventually(async () => (await fetchText(id)) === 'first, changed')
  await eventually(async () => !(await isAsked()))
})

test('no script, style or request violates the content security policy', () => {
  assert.deepEqual(site.problems, [])
})
