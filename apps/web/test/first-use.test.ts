import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually, pngOf } from '@oxbow/testkit'
import { applyLook, goTo, looks, startClientSite, takePicture } from './open-client.ts'

// Covers details of the client that confused first-time users.
const site = await startClientSite()
after(() => site[Symbol.asyncDispose]())
const { world } = site
const [iris, otto] = [await world.person('iris'), await world.person('otto')]
const garden = await world.stream('garden', { members: [iris, otto, world.owner] })
const send = (content: string, by = iris) =>
  by.messages.send({ type: 'stream', to: garden.name, topic: 'roses', content })
const roses = `#narrow/stream/${garden.stream_id}-garden/topic/roses`
const picture = new Uint8Array(pngOf(40, 30))
const page = await site.openAs(iris, '#inbox', { viewport: { width: 1280, height: 640 } })

/** Takes screenshots in light and dark, on a wide screen and on a phone. */
async function takeLooks(name: string): Promise<void> {
  for (const look of ['light', 'dark'] as const)
    for (const width of [1280, 390]) {
      await applyLook(page, looks[look])
      await page.setViewportSize({ width, height: 640 })
      await takePicture(page, `${name}-${look}-${width}`)
    }
  await applyLook(page, looks.light)
  await page.setViewportSize({ width: 1280, height: 640 })
}

test('a pasted URL of an upload is shown as the name of the file, and no other link text is changed', async () => {
  const { uri } = await iris.uploads.upload({ files: [{ name: 'south wall.png', bytes: picture }] })
  const other = '[files in /user_uploads/ of old](https://a.example/old/)'
  const { id } = await send(`Look: ${site.url}${uri} and [my words](${uri}) and ${other}`)
  await goTo(page, roses)
  const links = page.locator(`.Row[data-id="${id}"] .Body > p a`)
  await links.first().waitFor()
  const names = await links.allTextContents()
  assert.match(names[0] ?? '', /^south.wall\.png$/)
  assert.deepEqual(names.slice(1), ['my words', 'files in /user_uploads/ of old'])
})

test('the "edited" label of a message is right after its text', async () => {
  const { id } = await send('Short')
  await iris.messages.edit({ message_id: id, content: 'A short text' })
  await goTo(page, roses)
  await page.waitForSelector(`.Row[data-id="${id}"] .Row-marks`)
  const gap = await page.evaluate<number>(`{
    const row = document.querySelector('.Row[data-id="${id}"]')
    const text = document.createRange()
    text.selectNodeContents(row.querySelector('.Body p'))
    row.querySelector('.Row-marks').getBoundingClientRect().left - text.getBoundingClientRect().right
  }`)
  assert.ok(gap > 0 && gap < 40, `${gap} px`)
  await takeLooks('edited')
})

test('without a mail server, an invitation link leads to an account', async () => {
  const administrator = await site.openAs(world.owner, '#organization/invitations')
  await administrator.getByRole('radio', { name: 'By a link' }).click()
  await takePicture(administrator, 'invite-link')
  await administrator.getByRole('button', { name: 'Make a link' }).click()
  const link = new URL(await administrator.innerText('.InvitePeople-link code'))
  const newcomer = await (await site.newContext({ viewport: { width: 360, height: 640 } })).newPage()
  await newcomer.goto(site.url + link.pathname)
  await newcomer.fill('input[name=email]', 'nora@garden.example')
  await takePicture(newcomer, 'join-by-link')
  await newcomer.getByRole('button', { name: 'Continue' }).click()
  await newcomer.fill('input[name=full_name]', 'Nora New')
  await newcomer.fill('input[name=password]', 'heron lake 77 reeds')
  await newcomer.getByRole('button', { name: 'Join' }).click()
  await newcomer.waitForSelector('.App')
})

test("the user's own status is shown in the nav, and a click opens the status dialog", async () => {
  await goTo(page, '#inbox')
  assert.equal(await page.locator('.OwnStatus').count(), 0)
  await iris.userStatus.set({ status_text: 'at the south wall', away: true })
  const status = page.getByRole('button', {
    name: 'Iris Gardener: Away · at the south wall Change your status',
  })
  await status.waitFor()
  await takeLooks('own-status')
  await status.click()
  await page.getByRole('dialog', { name: 'Status' }).waitFor()
  await page.keyboard.press('Escape')
  await iris.userStatus.set({ status_text: '', away: false })
  await status.waitFor({ state: 'detached' })
})

test('a chosen profile picture is saved at once', async () => {
  await goTo(page, '#settings/profile')
  await page.setInputFiles('.PagesFrame-page input[type=file]', {
    name: 'me.png',
    mimeType: 'image/png',
    buffer: Buffer.from(picture),
  })
  await page.getByText('Your picture was changed.').waitFor()
  const { avatar_source } = await iris.events.register({ fetch_event_types: ['realm_user'] })
  assert.equal(avatar_source, 'U')
  await takeLooks('picture')
})

test('the buttons of the picture keep the focus while it is changed', async () => {
  const focused = () => page.evaluate('document.activeElement.textContent')
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/api/v1/users/me/avatar', async (route) => {
    await mayAnswer
    await route.continue()
  })
  const remove = page.getByRole('button', { name: 'Remove the picture' })
  await remove.focus()
  await page.keyboard.press('Enter')
  await page.locator('.Picture button[aria-disabled=true]', { hasText: 'Saving' }).waitFor()
  assert.equal(await focused(), 'Saving…')
  answer()
  await remove.waitFor({ state: 'detached' })
  await page.getByText('Your picture was changed.').waitFor()
  assert.equal(await focused(), 'Choose a picture')
  await page.unrouteAll()
})

test('a file that is not a picture is refused with an error message', async () => {
  await page.setInputFiles('.PagesFrame-page input[type=file]', {
    name: 'notes.png',
    mimeType: 'image/png',
    buffer: Buffer.from('no picture'),
  })
  await page.locator('.Picture [role=alert]').waitFor()
  await page.getByRole('button', { name: 'Choose a picture' }).waitFor()
  assert.equal(await page.getByText('Your picture was changed.').count(), 0)
})

test('the emoji picker focuses its search field, except on a touch screen', async () => {
  const hasFocus = (selector: string) => `document.activeElement.matches('${selector}')`
  await goTo(page, roses)
  await page.getByRole('button', { name: 'Choose an emoji' }).click()
  await eventually(() => page.evaluate(hasFocus('.EmojiPicker-field')))
  await page.keyboard.press('Escape')
  const phone = await site.openAs(otto, roses, {
    viewport: { width: 390, height: 700 },
    hasTouch: true,
    isMobile: true,
  })
  await phone.getByRole('article', { name: 'A short text' }).tap()
  await phone.getByRole('button', { name: 'React' }).tap()
  await phone.locator('.EmojiPicker-choice').first().waitFor()
  await eventually(() => phone.evaluate(hasFocus('.EmojiPicker[role=group][aria-label="Choose an emoji"]')))
  await phone.keyboard.press('ArrowRight')
  await phone.locator('.EmojiPicker-choice[aria-selected=true]:nth-child(2)').waitFor()
  await phone.context().close()
})

test('sending a new message opens its conversation', async () => {
  await goTo(page, '#inbox')
  await page.getByRole('button', { name: 'New message' }).click()
  await page.getByRole('combobox', { name: 'To' }).fill('garden')
  await page.getByRole('option', { name: 'garden', exact: true }).click()
  await page.getByRole('combobox', { name: 'Topic' }).fill('tulips')
  await page.getByRole('textbox', { name: 'Message garden' }).fill('They are early.')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('article', { name: 'They are early.' }).waitFor()
  assert.match(await page.evaluate<string>('location.hash'), /topic\/tulips$/)
  assert.equal(await page.getByRole('dialog').count(), 0)
  await eventually(() => page.evaluate("document.activeElement.matches('.Composer .WritingField-text')"))
})

test('suggested people for a new stream are within the visible part of the window', async () => {
  await goTo(page, '#streams/new')
  await page.getByRole('combobox', { name: 'People to add' }).pressSequentially('ott')
  const row = page.getByRole('option', { name: 'Otto Gardener' })
  await row.waitFor()
  await eventually(async () => {
    const box = await row.boundingBox()
    return box !== null && box.y + box.height <= 640
  })
  await takeLooks('new-stream')
})

test('an administrator can change the name of the organization, and other users cannot', async () => {
  await goTo(page, '#organization/profile')
  await page.getByText('Only administrators can change the organization.').waitFor()
  await page.getByRole('button', { name: 'The Garden: menu' }).click()
  await page.getByRole('menuitem', { name: 'People', exact: true }).waitFor()
  assert.equal(await page.getByRole('menuitem', { name: 'Organization settings' }).count(), 0)
  await page.keyboard.press('Escape')

  const owner = await site.openAs(world.owner, '#inbox')
  await owner.getByRole('button', { name: 'The Garden: menu' }).click()
  await owner.getByRole('menuitem', { name: 'Organization settings' }).click()
  const name = owner.getByRole('textbox', { name: 'Name of the organization' })
  await name.fill('  ')
  await owner.getByRole('button', { name: 'Save the name' }).click()
  await owner.getByText('Enter a name.').waitFor()
  await eventually(() => owner.evaluate("document.activeElement.name === 'name'"))
  await name.fill('The Orchard')
  await owner.getByRole('button', { name: 'Save the name' }).click()
  await owner.getByText('The name was saved.').waitFor()
  await owner.reload()
  await owner.getByRole('button', { name: 'Save the name' }).click()
  await owner.getByText('The name was saved.').waitFor()
  await page.getByRole('button', { name: 'The Orchard: menu' }).waitFor()
  await takePicture(owner, 'organization')
})

test('a switch on the page of the organization changes its setting for everyone', async () => {
  const owner = await site.openAs(world.owner, '#organization/profile')
  const required = owner.getByRole('switch', { name: 'Require topics' })
  const readSetting = async () =>
    (await iris.events.register({ fetch_event_types: ['realm'] })).realm_mandatory_topics

  for (const isRequired of [true, false]) {
    await required.setChecked(isRequired)
    await eventually(async () => (await readSetting()) === isRequired)
  }
  await world.owner.organization.update({ mandatory_topics: true })
  await eventually(() => required.isChecked())
})

test('no script, style or request violates the content security policy', () => {
  assert.deepEqual(site.problems, [])
})
