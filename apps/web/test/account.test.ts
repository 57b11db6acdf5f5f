import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually, pngOf, signIn, startMailServer } from '@oxbow/testkit'
import {
  applyLook,
  findAccessProblems,
  looks,
  startClientSite,
  takePicture,
  windowsFor,
} from './open-client.ts'

const mail = await startMailServer()
after(() => mail[Symbol.asyncDispose]())
const site = await startClientSite({ config: { smtp_url: mail.url, external_url: 'http://localhost' } })
after(() => site[Symbol.asyncDispose]())
const { world } = site
const [iris, otto] = [await world.person('iris'), await world.person('otto')]
await world.stream('garden', { members: [iris, otto] })
const fields = [
  { name: 'Pronouns', field_type: 1, hint: 'How others speak of you' },
  { name: 'Biography', field_type: 2 },
  { name: 'Team', field_type: 3, field_data: { a: { text: 'Beds', order: '1' } } },
  { name: 'Birthday', field_type: 4 },
  { name: 'Page', field_type: 5 },
  { name: 'Mentor', field_type: 6 },
]
for (const field of fields) await world.owner.profileFields.create(field as never)

const page = await site.openAs(iris, '#settings/profile')
/** A second browser of the same person, which receives changes as events. */
const second = await site.openAs(iris, '#settings/profile')
await page.waitForSelector('.Picture')

const picture = { name: '<img src=x onerror=alert(1)>.png', mimeType: 'image/png', buffer: pngOf(40, 30) }

test('a chosen picture is saved at once, and can be removed', async () => {
  await second.waitForSelector('.Picture-frame .Avatar-initials')
  await page.setInputFiles('.Group input[type=file]', picture)
  const src = await second.locator('.Picture-frame img').getAttribute('src')
  assert.match(src ?? '', /^\/user_avatars\/.*-medium\.png\?v=2$/)
  await page.getByRole('button', { name: 'Remove the picture' }).click()
  await second.waitForSelector('.Picture-frame .Avatar-initials')
  await page.getByRole('button', { name: 'Remove the picture' }).waitFor({ state: 'detached' })
})

test('a file that is not a picture is refused with an error beside the picture', async () => {
  await page.setInputFiles('.Group input[type=file]', { ...picture, buffer: Buffer.from('no picture') })
  await page.waitForSelector('.Picture-controls [role=alert]')
  assert.match(await page.innerText('.Picture-controls [role=alert]'), /not a picture/)
})

test('the name is saved by a button, and refusals are shown beside the field', async () => {
  const name = page.getByLabel('Full name')
  await name.fill('x'.repeat(200))
  await page.getByRole('button', { name: 'Save the name' }).click()
  await page.waitForSelector('.Field-problem:has-text("Name too long!")')
  assert.equal(await page.evaluate('document.activeElement.name'), 'full_name')
  await name.fill('Iris & Rose Gardener')
  await page.keyboard.press('Enter')
  await page.waitForSelector('.Notice-success')
  await eventually(async () => (await second.getByLabel('Full name').inputValue()) === 'Iris & Rose Gardener')
  assert.equal((await iris.users.me()).full_name, 'Iris & Rose Gardener')
  // A saved field shows later changes of other tabs and programs.
  await iris.users.updateSettings({ full_name: 'Iris Gardener' })
  await eventually(async () => (await name.inputValue()) === 'Iris Gardener')
})

test('profile fields are saved when they lose the focus', async () => {
  await page.getByLabel('Pronouns').fill('she')
  await page.getByLabel('Biography').fill('<script>alert(1)</script>')
  await page.getByLabel('Team').selectOption('Beds')
  await page.getByLabel('Birthday').fill('1990-05-01')
  await page.getByLabel('Page').fill('javascript:alert(1)')
  await page.getByRole('combobox', { name: 'Mentor' }).fill('otto')
  await page.waitForSelector('.Field-problem')
  await page.keyboard.press('Enter')
  await second.waitForSelector('.PeopleField-chip:has-text("Otto Gardener")')
  assert.equal(await page.getByLabel('Page').inputValue(), 'javascript:alert(1)')
  await page.getByLabel('Page').fill('https://roses.example/')
  await page.getByLabel('Pronouns').focus()
  await eventually(async () => (await second.getByLabel('Page').inputValue()) === 'https://roses.example/')

  await page.reload()
  await page.waitForSelector('.PeopleField-chip')
  const values = await Promise.all(
    ['Pronouns', 'Biography', 'Team', 'Birthday'].map((label) => page.getByLabel(label).inputValue()),
  )
  assert.deepEqual(values, ['she', '<script>alert(1)</script>', 'a', '1990-05-01'])
  await page.getByRole('button', { name: 'Remove Otto Gardener' }).click()
  await second.waitForSelector('.PeopleField-chip', { state: 'detached' })
})

test('the time zone is stored with the account', async () => {
  await page.getByRole('combobox', { name: 'Time zone' }).selectOption('Asia/Tokyo')
  await eventually(
    async () => (await second.getByRole('combobox', { name: 'Time zone' }).inputValue()) === 'Asia/Tokyo',
  )
})

test('a status is set from the menu, with an emoji, and cleared on the page', async () => {
  await page.click('.NavMenus-account')
  await page.getByRole('menuitem', { name: 'Set a status' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Status' }).fill('<b>in the beds</b>')
  await dialog.getByRole('button', { name: 'Begin with an emoji' }).click()
  await page.waitForSelector('.EmojiPicker-field:focus')
  await page.keyboard.type('rose')
  await page.waitForSelector('.EmojiPicker-choice[aria-label=rose]')
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Save the status' }).click()
  await page.waitForSelector('dialog', { state: 'detached' })
  const status = second.getByRole('textbox', { name: 'Status' })
  await eventually(async () => (await status.inputValue()) === '🌹 <b>in the beds</b>')
  await second.getByRole('button', { name: 'Clear' }).click()
  await eventually(async () => (await page.getByRole('textbox', { name: 'Status' }).inputValue()) === '')

  await page.click('.NavMenus-account')
  await page.getByRole('menuitem', { name: 'Set yourself as away' }).click()
  await eventually(async () => second.getByLabel('Away').isChecked())
})

test('a new address is confirmed by e-mail, and a wrong password is reported beside its field', async () => {
  await page.evaluate("location.hash = '#settings/account'")
  const form = page.locator('form', { has: page.getByLabel('New address') })
  await form.getByLabel('New address').fill('new@roses.example')
  await form.getByLabel('Current password').fill('wrong')
  await page.keyboard.press('Enter')
  await form.locator('.Field-problem:has-text("not your current password")').waitFor()
  assert.equal(await page.evaluate('document.activeElement.name'), 'password')
  await form.getByLabel('New address').fill('no address')
  await form.getByLabel('Current password').fill(iris.password)
  await page.keyboard.press('Enter')
  await form.locator('.Field-problem:has-text("Invalid address.")').waitFor()
  await form.getByLabel('New address').fill('new@roses.example')
  await form.getByRole('button', { name: 'Change the address' }).click()
  await form.locator('.Notice-success').waitFor()
  assert.match((await mail.waitForEmail('new@roses.example')).text, /confirm_new_email/)
})

test('the API key is shown and replaced only after the password is entered', async () => {
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Show the key' }).click()
  await dialog.getByLabel('Current password').fill('wrong')
  await page.keyboard.press('Enter')
  await dialog.locator('.Field-problem:has-text("not your current password")').waitFor()
  await dialog.getByLabel('Current password').fill(iris.password)
  await page.keyboard.press('Enter')
  await page.waitForSelector('.Secret-value')
  assert.equal(await page.innerText('.Secret-value'), iris.api_key)
  await page.getByRole('button', { name: 'Replace the key' }).click()
  await dialog.getByLabel('Current password').fill(iris.password)
  await page.keyboard.press('Enter')
  await page.waitForSelector('dialog', { state: 'detached' })
  assert.notEqual(await page.innerText('.Secret-value'), iris.api_key)
  // The page uses the other node.
  await world.settled()
  await assert.rejects(iris.users.me(), { status: 401 })
})

test('a new password ends other sessions, and weak or wrong ones are refused', async () => {
  const form = page.locator('form', { has: page.getByLabel('New password') })
  const change = async (before: string, after: string) => {
    await form.getByLabel('Current password').fill(before)
    await form.getByLabel('New password').fill(after)
    await page.keyboard.press('Enter')
  }
  await change('wrong', 'plum tree 52 garden')
  await form.locator('.Field-problem:has-text("not your current password")').waitFor()
  await change(iris.password, 'abc')
  await form.locator('.Field-problem:has-text("too easy to guess")').waitFor()
  assert.equal(await page.evaluate('document.activeElement.name'), 'new_password')
  await change(iris.password, 'plum tree 52 garden')
  await form.locator('.Notice-success').waitFor()
  await second.waitForSelector('.SessionEnded')
  await signIn(world, { email: iris.email, password: 'plum tree 52 garden' })
  await page.reload()
  await page.waitForSelector('.Secret, .Group')
})

for (const name of ['light', 'dark'] as const)
  test(`profile and account pages are accessible and fit the browser window: ${name}`, async () => {
    await applyLook(page, looks[name])
    for (const [index, screen] of ['#settings/profile', '#settings/account'].entries())
      for (const { width, height } of windowsFor(name, index)) {
        await page.setViewportSize({ width, height })
        await page.evaluate(`location.hash = '${screen}'`)
        await page.waitForSelector('.Group')
        await takePicture(page, `${screen.slice(1).replace('/', '-')}-${name}-${width}`)
        assert.deepEqual(await findAccessProblems(page), [], `${screen} ${width}`)
      }
  })

test('if names and pictures are locked, members see the reason in place of the controls', async () => {
  await world.owner.organization.update({
    name_changes_disabled: true,
    avatar_changes_disabled: true,
    email_changes_disabled: true,
  })
  await page.evaluate("location.hash = '#settings/profile'")
  await page.waitForSelector('.Notice:has-text("only administrators change names")')
  await page.waitForSelector('.Notice:has-text("only administrators change pictures")')
  assert.equal(await page.getByLabel('Full name').count(), 0)
})

test('no script, style or request violates the content security policy', () => {
  assert.deepEqual(site.problems, [])
})
