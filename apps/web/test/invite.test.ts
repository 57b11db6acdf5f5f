import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually, startMailServer } from '@oxbow/testkit'
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
const site = await startClientSite({
  config: { smtp_url: mail.url, external_url: 'http://localhost' },
  firstStreams: true,
})
after(() => site[Symbol.asyncDispose]())
const { world } = site
const { owner } = world

const page = await site.openAs(owner)
const list = page.locator('.SettingList')

test('the Inbox of a new organization offers first steps, and each disappears when it is done', async () => {
  const steps = page.locator('.FirstRun-text')
  await steps.getByText('Say hello').waitFor()
  await owner.messages.send({ type: 'stream', to: 'core team', topic: 'hello', content: 'Hello!' })
  await eventually(async () => !(await steps.allInnerTexts()).includes('Say hello'))
  await page.getByRole('link', { name: 'Invite people' }).click()
  await page.waitForSelector('.InvitePeople')
})

test('people are invited by e-mail, with a role and streams, by keyboard only', async () => {
  await page.getByLabel('E-mail addresses').focus()
  await page.keyboard.insertText('fern@roses.example, Otto <otto@roses.example>')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowDown')
  assert.equal(await page.evaluate('document.activeElement.selectedOptions[0].text'), 'Guest')
  await page.getByRole('combobox', { name: 'They join these streams' }).focus()
  await page.keyboard.type('core')
  await page.keyboard.press('Enter')
  await page.waitForSelector('.ChipField-chip:has-text("core team")')
  await page.getByRole('button', { name: 'Invite', exact: true }).focus()
  await page.keyboard.press('Enter')
  await list.getByText('fern@roses.example').waitFor()
  assert.match(await list.innerText(), /Guest · invited by you · valid until/)
  await mail.waitForEmail('otto@roses.example')
  const { invites } = await owner.invitations.list()
  assert.deepEqual(
    invites.map(({ invited_as }) => invited_as),
    [600, 600],
  )
})

test('addresses that cannot be invited are listed with the reason, and the rest of the form is kept', async () => {
  const field = page.getByLabel('E-mail addresses')
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await page.waitForSelector('.Field-problem:has-text("Enter at least one address.")')
  await field.fill('<img src=x onerror=alert(1)>, lily@roses.example')
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await page.waitForSelector('.InvitePeople-left-out')
  assert.match(await page.innerText('.InvitePeople-left-out'), /src=x[\s\S]*Invalid address/)
  assert.equal(await field.inputValue(), '<img src=x onerror=alert(1)>, lily@roses.example')
  await field.fill(`${owner.email}, lily@roses.example`)
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await list.getByText('lily@roses.example').waitFor()
  assert.match(await page.innerText('.InvitePeople-left-out'), /Already has an account/)
})

test('an invitation is resent, and revoked after a confirmation', async () => {
  const before = mail.emails.filter(({ to }) => to === 'fern@roses.example').length
  await eventually(() => mail.emails.some(({ to }) => to === 'fern@roses.example'))
  await page.getByRole('button', { name: 'Send again: fern@roses.example' }).click()
  await eventually(() => mail.emails.filter(({ to }) => to === 'fern@roses.example').length > before)
  await page.getByRole('button', { name: 'Revoke: fern@roses.example' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await list.getByText('fern@roses.example').waitFor({ state: 'detached' })
})

test('an invitation link is created, opens the sign-up page and is revoked', async () => {
  await page.getByRole('radio', { name: 'By a link' }).click()
  await page.getByRole('button', { name: 'Make a link' }).click()
  const link = await page.innerText('.InvitePeople-link code')
  const { pathname } = new URL(link)
  assert.equal((await fetch(world.nodes.a.url + pathname)).status, 200)
  await list.getByText('Link for everyone who has it').waitFor()
  await page.getByRole('button', { name: 'Revoke: Link for everyone who has it' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await list.getByText('Link for everyone who has it').waitFor({ state: 'detached' })
  assert.notEqual((await fetch(world.nodes.a.url + pathname)).status, 200)
  await page.getByRole('radio', { name: 'By e-mail' }).click()
})

for (const name of ['light', 'dark'] as const)
  test(`the invitation page is accessible and fits the browser window: ${name}`, async () => {
    await applyLook(page, looks[name])
    for (const [index, screen] of ['#organization/invitations', '#inbox'].entries())
      for (const { width, height } of windowsFor(name, index)) {
        await page.setViewportSize({ width, height })
        await page.evaluate(`location.hash = '${screen}'`)
        await page.waitForSelector('.InvitePeople, .Empty, .Inbox')
        await takePicture(page, `${screen.slice(1).replace('/', '-')}-${name}-${width}`)
        assert.deepEqual(await findAccessProblems(page), [], `${screen} ${width}`)
      }
    await page.setViewportSize({ width: 1280, height: 800 })
  })

test('members can invite but not create links, and guests are not offered the page', async () => {
  const [iris, gus] = [await world.person('iris'), await world.person('gus', 'guest')]
  const member = await site.openAs(iris, '#organization/invitations')
  await member.waitForSelector('.InvitePeople')
  assert.equal(await member.getByRole('radio').count(), 0)
  assert.deepEqual(await member.getByLabel('They become').locator('option').allInnerTexts(), [
    'Member',
    'Guest',
  ])
  const guest = await site.openAs(gus, '#organization/invitations')
  await guest.waitForSelector('.Empty-title:has-text("You cannot invite people.")')
  await guest.click('.NavMenus-organization')
  assert.equal(await guest.getByRole('menuitem', { name: 'Invite people' }).count(), 0)
})

test('no script, style or request violates the content security policy', () => {
  assert.deepEqual(site.problems, [])
})
