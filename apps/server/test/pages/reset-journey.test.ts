import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually } from '@oxbow/testkit'
import { goodPassword } from '../joining.ts'
import { startSite, submitLogin } from './start-site.ts'

const site = await startSite()
after(() => site[Symbol.asyncDispose]())
const { world, mail, url } = site

const linkFor = (address: string) =>
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
    const link = await linkFor(person.email)
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
