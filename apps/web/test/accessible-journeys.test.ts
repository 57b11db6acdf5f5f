import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually, type Person } from '@oxbow/testkit'
import type { Locator, Page } from 'playwright-core'
import { collectProblems, startClientSite } from './open-client.ts'

// Checks that typical work is possible with the information that screen readers get: these tests find
// elements only by their accessible roles and names.
const site = await startClientSite()
after(() => site[Symbol.asyncDispose]())
const { world } = site
const otto = await world.person('otto')

/** Opens a page in a separate browser context, which is not signed in. */
async function openBrowser(width: number): Promise<Page> {
  const context = await site.newContext({ viewport: { width, height: width === 360 ? 640 : 800 } })
  const page = await context.newPage()
  collectProblems(page, site.problems)
  return page
}

/** Creates a person with a stream that has two unread messages. */
async function invite(name: string): Promise<Person> {
  const person = await world.person(name)
  const stream = await world.stream(`beds of ${name}`, { members: [person, otto] })
  for (const content of ['Who prunes the roses?', 'The south wall is first.'])
    await otto.messages.send({ type: 'stream', to: stream.name, topic: 'roses', content })
  return person
}

const messageWith = (page: Page, text: string | RegExp): Locator => page.getByRole('article', { name: text })

/** Returns a button in a message's toolbar, which appears when the message has the focus. */
async function findAction(message: Locator, name: string): Promise<Locator> {
  await message.focus()
  return message.getByRole('toolbar', { name: 'Actions' }).getByRole('button', { name, exact: true })
}

/** Opens the nav on a narrow screen. A wide screen always shows it. */
async function showNav(page: Page): Promise<void> {
  const back = page.getByRole('button', { name: /^Back to the list/ })
  // The button can vanish before the click, when the view of an earlier click is shown.
  while (await back.isVisible()) await back.click({ timeout: 3_000 }).catch(() => {})
}

async function signIn(page: Page, { email, password }: Person): Promise<void> {
  await page.getByRole('textbox', { name: 'E-mail address' }).fill(email)
  // Password fields have an accessible name but no role.
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor()
}

for (const width of [1280, 360])
  test(`a person reads, writes, edits, moves and searches by roles and names alone at ${width} px`, async () => {
    const person = await invite(`reader${width}`)
    const page = await openBrowser(width)
    await page.goto(`${site.url}/#inbox`)
    await signIn(page, person)

    await page
      .getByRole('main')
      .getByRole('link', { name: /^roses.*2 new$/ })
      .click()
    await messageWith(page, 'Who prunes the roses?').waitFor()
    await eventually(async () => {
      const { unread_msgs } = await person.events.register({
        fetch_event_types: ['message', 'update_message_flags'],
      })
      return unread_msgs?.count === 0
    })

    await page.getByRole('textbox', { name: /^Message beds of .* › roses$/ }).fill('I do, on Monday.')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await messageWith(page, 'I do, on Monday.').waitFor()

    const question = messageWith(page, 'Who prunes the roses?')
    await (await findAction(question, 'React')).click()
    const emoji = page.getByRole('dialog', { name: 'React' })
    await emoji.getByRole('combobox', { name: 'Search emoji' }).fill('tada')
    await emoji.getByRole('option', { name: 'tada', exact: true }).click()
    const reaction = question.getByRole('button', { name: /^tada: / })
    await reaction.waitFor()
    assert.equal(await reaction.getAttribute('aria-pressed'), 'true')

    await (await findAction(messageWith(page, 'I do, on Monday.'), 'Edit')).click()
    const field = page.getByRole('textbox', { name: 'Edit the message' })
    await eventually(async () => (await field.inputValue()) === 'I do, on Monday.')
    await field.fill('I do, on Tuesday.')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await messageWith(page, /I do, on Tuesday\..*edited/).waitFor()

    await (await findAction(messageWith(page, 'I do, on Tuesday.'), 'More actions')).click()
    await page.getByRole('menuitem', { name: 'Move', exact: true }).click()
    const move = page.getByRole('dialog', { name: 'Move messages' })
    await move.getByRole('combobox', { name: 'Topic' }).fill('pruning')
    await move.getByRole('radio', { name: 'this message', exact: true }).check()
    await move.getByRole('button', { name: 'Move', exact: true }).click()
    await messageWith(page, 'I do, on Tuesday.').waitFor({ state: 'detached' })

    await showNav(page)
    await page.getByRole('button', { name: 'Search or jump' }).click()
    await page.getByRole('dialog').getByRole('combobox').fill('Tuesday')
    await page.getByRole('option', { name: 'Search messages for “Tuesday”' }).click()
    const found = messageWith(page, 'I do, on Tuesday.')
    await found.waitFor()
    await found.getByRole('link', { name: /pruning|Show in conversation/ }).click()
    await page.getByRole('heading', { name: /pruning/, level: 1 }).waitFor()

    await showNav(page)
    await page.getByRole('button', { name: /^Reader\d+ Gardener: menu$/ }).click()
    await page.getByRole('menuitem', { name: 'Settings', exact: true }).click()
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Display' }).click()
    const contrast = page.getByRole('switch', { name: 'High contrast' })
    await contrast.click()
    await eventually(() => contrast.isChecked())
    await eventually(
      async () =>
        (await person.events.register({ fetch_event_types: ['update_display_settings'] }))
          .high_contrast_mode === true,
    )

    await showNav(page)
    await page.getByRole('button', { name: /^Reader\d+ Gardener: menu$/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in to The Garden', level: 1 }).waitFor()
    await page.context().close()
  })

/** Returns the roles and names of a part of the page, without URLs and times. */
const describe = async (part: Locator): Promise<string> =>
  (await part.ariaSnapshot())
    .replaceAll(/^( *- link .*):\n *- \/url: .*$/gm, '$1')
    .replaceAll(/\d{1,2}:\d\d( [AP]M)?/g, 'TIME')

/** Waits until a part of the page has these roles and names. */
async function expectDescription(part: Locator, expected: string): Promise<void> {
  let found = ''
  const isEqual = async () => {
    found = await describe(part)
    return found === expected
  }
  await eventually(isEqual).catch(() => assert.equal(found, expected))
}

test('the main regions expose the expected roles and names to screen readers', async () => {
  const person = await invite('listener')
  const page = await site.openAs(person, '#inbox', { viewport: { width: 1280, height: 800 } })
  await page
    .getByRole('main')
    .getByRole('link', { name: /^roses/ })
    .click()
  await messageWith(page, 'Who prunes the roses?').waitFor()
  // The name of the link has no unread count once the messages are read.
  await page.getByRole('link', { name: 'Inbox', exact: true }).waitFor()

  await expectDescription(
    page.getByRole('navigation', { name: 'Streams and conversations' }),
    `- navigation "Streams and conversations":
  - 'button "The Garden: menu"': The Garden
  - 'button "Listener Gardener: menu"'
  - button "Search or jump"
  - button "New message"
  - list:
    - listitem:
      - link "Inbox"
    - listitem:
      - link "Mentions"
    - listitem:
      - link "Followed"
    - listitem:
      - link "Recent"
    - listitem:
      - link "Starred"
    - listitem:
      - link "Drafts"
    - listitem:
      - link "All messages"
  - region "Private":
    - heading "Private" [level=2]
    - link "All private conversations"
    - list
  - region "Streams":
    - heading "Streams" [level=2]
    - button "Create or browse streams"
    - list:
      - listitem:
        - link "beds of listener public stream"
        - button "Show topics of beds of listener" [expanded]
        - list:
          - listitem:
            - link "roses"
          - listitem:
            - link "All topics"
    - link "Browse streams"`,
  )
  await expectDescription(
    page.getByRole('banner'),
    `- banner:
  - heading "beds of listener roses" [level=1]:
    - link "beds of listener"
    - text: roses
  - button "Conversation menu"
  - button "Show details"`,
  )
  await expectDescription(
    page.getByRole('main'),
    `- main "roses · beds of listener":
  - list "Messages":
    - listitem:
      - time: Today
    - listitem: New · 2 unread
    - listitem:
      - article "Otto Gardener Who prunes the roses? TIME":
        - link "Otto Gardener"
        - time: TIME
        - paragraph: Who prunes the roses?
    - listitem:
      - article "Otto Gardener The south wall is first. TIME":
        - text: Otto Gardener
        - paragraph: The south wall is first.
        - time: TIME
  - log`,
  )
  await expectDescription(
    page.getByRole('form', { name: 'Message beds of listener › roses' }),
    `- form "Message beds of listener › roses":
  - textbox "Message beds of listener › roses"
  - toolbar "Formatting":
    - button "Choose an emoji"
    - button "Attach files"
    - button "Bold (Ctrl B)"
    - button "Italic (Ctrl I)"
    - button "List (Ctrl Shift 8)"
    - button "Numbered list (Ctrl Shift 7)"
    - button "Quotation (Ctrl Shift .)"
    - button "Code (Ctrl Shift C)"
    - button "Link (Ctrl Shift L)"
  - status
  - button "Make the field larger"
  - button "Preview (Alt P)"
  - button "Send later"
  - button "Send"`,
  )
})

test('no journey violates the content security policy', () => {
  assert.deepEqual(site.problems, [])
})
