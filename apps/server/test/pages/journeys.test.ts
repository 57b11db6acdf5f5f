import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually } from '@oxbow/testkit'
import { findLink, goodPassword } from '@oxbow/testkit/calls/joining'
import type { Page } from 'playwright-core'
import { startSite, submitLogin } from './start-site.ts'

const site = await startSite()
after(() => site[Symbol.asyncDispose]())
const { world, mail, url } = site
const iris = await world.person('iris')
const garden = await world.stream('garden')
const tea = await world.addOrganization('tea')

const pendingJobs = "select from graphile_worker.jobs where task_identifier = 'mail_organizations'"

const heading = (page: Page) => page.textContent('h1')
const pathOf = (page: Page) => page.url().slice(url.length)
const cookieOf = async (page: Page) => (await page.context().cookies()).find(({ name }) => name === 'oxbow')

test('a person signs in, sees the start page and signs out', async () => {
  const page = await site.openWindow()
  await page.goto(url)
  assert.equal(pathOf(page), '/login?next=%2F')
  assert.equal(await heading(page), 'Sign in to The Garden')

  await submitLogin(page, { ...iris, password: 'wrong' })
  assert.match((await page.textContent('[role=alert]')) ?? '', /address or the password is wrong/)
  assert.equal(await page.inputValue('[name=username]'), iris.email)
  assert.equal(await page.inputValue('[name=password]'), '')
  await submitLogin(page, iris)
  assert.equal(pathOf(page), '/')
  assert.equal(await heading(page), 'Welcome to The Garden, Iris Gardener')
  assert.match((await page.textContent('main')) ?? '', new RegExp(`${url}.*${iris.email}`, 's'))
  const cookie = await cookieOf(page)
  assert.deepEqual([cookie?.httpOnly, cookie?.sameSite, cookie?.expires], [true, 'Lax', -1])

  await page.goto(`${url}/login`)
  assert.equal(pathOf(page), '/', 'a person who is signed in needs no sign-in page')
  await page.click('button')
  assert.equal(await page.textContent('[role=status]'), 'You are signed out.')
  assert.equal(await cookieOf(page), undefined)
  assert.deepEqual((await iris.sessions.list()).sessions, [])
  await page.goto(url)
  assert.equal(pathOf(page), '/login?next=%2F')
})

test('the checkbox keeps a person signed in after the browser was closed', async () => {
  const page = await site.openWindow()
  await page.goto(`${url}/login`)
  await page.check('[name=is_trusted]')
  await submitLogin(page, iris)

  assert.ok(((await cookieOf(page))?.expires ?? 0) > Date.now() / 1000 + 300 * 86_400)
})

test('signing in leads to the requested page, with its query and fragment', async () => {
  const page = await site.openWindow()
  await page.goto(`${url}/?from=mail#narrow/stream/1`)
  assert.equal(pathOf(page), '/login?next=%2F%3Ffrom%3Dmail#narrow/stream/1')
  await submitLogin(page, { ...iris, password: 'wrong' })
  await submitLogin(page, iris)
  assert.equal(pathOf(page), '/?from=mail#narrow/stream/1')
})

test('a link to the sign-in page cannot lead to another site', async () => {
  for (const next of ['https://evil.example/', '//evil.example', '/\\evil.example', '/.//evil.example']) {
    const page = await site.openWindow()
    await page.goto(`${url}/login?next=${encodeURIComponent(next)}`)
    await submitLogin(page, iris)
    assert.equal(page.url(), `${url}/`, next)
    await page.context().close()
  }
})

test('an invited person joins and is signed in at once', async () => {
  const email = 'nora@elsewhere.example'
  await world.owner.invitations.send({ invitee_emails: email, stream_ids: [garden.stream_id] })
  const page = await site.openWindow()
  await page.goto(url + (await findLink(mail, email)))
  assert.equal(await page.inputValue('[name=email]'), email)
  await page.fill('[name=full_name]', 'Nora New')
  await page.fill('[name=password]', 'abc')
  await page.check('[name=terms]')
  await page.click('button')
  assert.equal(await page.textContent('#password-problem'), 'Choose a longer or less common password.')
  await page.fill('[name=password]', goodPassword)
  await page.check('[name=terms]')
  await page.click('button')

  assert.equal(pathOf(page), '/')
  assert.equal(await heading(page), 'Welcome to The Garden, Nora New')
})

test('a person finds organizations by address or by e-mail, in their language', async () => {
  const page = await site.openWindow({ locale: 'de-AT' })
  await page.goto(`${site.urlOf('tea')}/login`)
  await page.click('text=Andere Organisation finden')
  assert.equal(pathOf(page), '/accounts/go')
  await page.fill('[name=organization]', 'nothing')
  await page.click('text=Weiter')
  assert.match((await page.textContent('[role=alert]')) ?? '', /keine Organisation mit dieser Adresse/)
  await page.fill('[name=organization]', ` ${site.urlOf('tea')}/ `)
  await page.click('text=Weiter')
  assert.equal(page.url(), `${site.urlOf('tea')}/login`)
  assert.equal(await heading(page), 'Bei The tea team anmelden')

  const responses: string[] = []
  for (const email of [tea.owner.email, 'nobody@elsewhere.example']) {
    await page.goto(`${url}/accounts/go`)
    await page.fill('[name=email]', ` ${email.toUpperCase()} `)
    await page.click('text=Liste schicken')
    responses.push(((await page.textContent('main')) ?? '').replace(email.toUpperCase(), 'ADDRESS'))
  }
  assert.equal(responses[0], responses[1])
  const { text } = await mail.waitForEmail(tea.owner.email.replace('owner', 'OWNER'))
  assert.ok(text.includes(`${site.urlOf('tea')}/login`), text)
  assert.ok(!text.includes('The Garden'))
  await eventually(async () => (await world.database.query(pendingJobs)).length === 0)
  assert.ok(!mail.emails.some(({ to }) => to.startsWith('nobody')))
})

test('each organization of one server has separate sessions', async () => {
  const page = await site.openWindow()
  await page.goto(`${url}/login`)
  await submitLogin(page, iris)
  await page.goto(site.urlOf('tea'))
  assert.equal(await heading(page), 'Sign in to The tea team')
  await submitLogin(page, tea.owner)
  assert.equal(await heading(page), 'Welcome to The tea team, Olive Owner')
  await page.goto(url)
  assert.equal(await heading(page), 'Welcome to The Garden, Iris Gardener')
})

/** Waits for an e-mail with a link to set a new password. */
const findResetLink = (address: string) =>
  eventually(() => {
    const { text = '' } = mail.emails.findLast(({ to }) => to === address) ?? {}
    return /(http:\/\/chat\.example:\d+\/accounts\/password\/reset\/[a-z0-9]{24})\s/.exec(text)?.[1]
  })

for (const [size, viewport] of [
  ['wide', { width: 1280, height: 800 }],
  ['narrow', { width: 360, height: 640 }],
] as const)
  test(`a person who forgot the password signs in again by a real e-mail, in a ${size} window`, async () => {
    const person = await world.person(`forgetful-${size}`)
    const elsewhere = await site.openWindow()
    await elsewhere.goto(`${url}/login`)
    await submitLogin(elsewhere, person)
    const page = await site.openWindow({ viewport })
    await page.goto(`${url}/login`)

    await page.click('text=Forgot your password?')
    await page.fill('[name=email]', person.email)
    await page.click('button')
    assert.equal(await page.textContent('h1'), 'Check your e-mail')
    const link = await findResetLink(person.email)
    await page.goto(link)
    assert.equal(await page.inputValue('[name=email]'), person.email)
    await page.fill('[name=password]', 'abc')
    await page.click('button')
    assert.match((await page.textContent('[role=alert]')) ?? '', /too easy to guess/)
    assert.equal(await page.inputValue('[name=password]'), '')
    await page.fill('[name=password]', goodPassword)
    await page.click('button')
    for (const again of [false, true]) {
      if (again) await page.reload()
      assert.equal(await page.textContent('h1'), 'Sign in to The Garden')
      assert.match((await page.textContent('[role=status]')) ?? '', /Your password was changed/)
    }
    await submitLogin(page, { ...person, password: goodPassword })

    assert.equal(page.url(), `${url}/`)
    await page.goto(link)
    assert.equal(await page.textContent('h1'), 'This link is not valid')
    assert.equal(await page.locator('main a[href="/login"]').count(), 1)
    await elsewhere.goto(url)
    assert.equal(elsewhere.url(), `${url}/login?next=%2F`)
    await submitLogin(elsewhere, person)
    assert.match((await elsewhere.textContent('[role=alert]')) ?? '', /password is wrong/)
  })

test('no page of these journeys violates its content security policy', () => {
  assert.deepEqual(site.violations, [])
})
