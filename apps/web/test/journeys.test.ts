import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually, type Person } from '@oxbow/testkit'
import { bySize } from '@oxbow/testkit/size'
import type { Page } from 'playwright-core'
import { collectProblems, startClientSite } from './open-client.ts'

const site = await startClientSite()
after(() => site[Symbol.asyncDispose]())
const { world } = site
const otto = await world.person('otto')

/** The steps of a journey, implemented for each kind of input. */
interface Traveller {
  signIn(person: Person): Promise<void>
  /** Opens the topic with unread messages from the Inbox. */
  openTopic(topic: string): Promise<void>
  write(text: string): Promise<void>
  /** Adds a reaction to the message with this text. */
  react(text: string): Promise<void>
  edit(text: string, more: string): Promise<void>
  move(text: string, topic: string): Promise<void>
  signOut(): Promise<void>
}

const rowOf = (page: Page, text: string) => page.locator('.Row[data-id]', { hasText: text })

const byPointer = (page: Page): Traveller => ({
  async signIn({ email, password }) {
    await page.click('input[name=username]')
    await page.keyboard.type(email)
    await page.click('input[name=password]')
    await page.keyboard.type(password)
    await page.click('.Page-form button')
  },
  openTopic: (topic) => page.click(`.Inbox-row:has-text("${topic}")`),
  async write(text) {
    await page.click('.Composer .WritingField-text')
    await page.keyboard.type(text)
    await page.click('.Composer button[type=submit]')
  },
  async react(text) {
    await rowOf(page, text).hover()
    await page.click('.Toolbar [aria-haspopup=dialog]')
    await page.waitForSelector('.EmojiPicker-field:focus')
    await page.keyboard.type('tada')
    await page.click('.EmojiPicker-choice[aria-label=tada]')
  },
  async edit(text, more) {
    await rowOf(page, text).hover()
    await page.click('.Toolbar [aria-label=Edit]')
    await page.click('.EditRow .WritingField-text')
    await eventually(async () => (await page.inputValue('.EditRow .WritingField-text')).includes(text))
    await page.keyboard.press('Control+End')
    await page.keyboard.type(more)
    await page.click('.EditRow button:has-text("Save")')
  },
  async move(text, topic) {
    await rowOf(page, text).hover()
    await page.click('.Toolbar [aria-haspopup=menu]')
    await page.click('.Menu-item:has-text("Move")')
    await page.fill('.MoveDialog .TopicField-input', topic)
    await page.click('.MoveDialog-scopes label >> nth=0')
    await page.click('.Dialog .Button-primary')
  },
  async signOut() {
    if (await page.isVisible('.ViewFrame-back button')) await page.click('.ViewFrame-back button')
    await page.click('.NavMenus-account')
    await page.click('.Menu-item:has-text("Sign out")')
  },
})

const byKeys = (page: Page): Traveller => {
  const press = (key: string) => page.keyboard.press(key)
  const hasFocus = (selector: string) =>
    page.evaluate(`document.activeElement?.closest(${JSON.stringify(selector)}) != null`)
  /** Presses a key until the focus is on, or inside, an element that matches a selector. */
  const pressUntil = async (key: string, selector: string) => {
    for (let pressed = 0; pressed < 80; pressed++) {
      if (await hasFocus(selector)) return
      await press(key)
    }
    assert.fail(`${key} does not reach ${selector}`)
  }
  /** Moves the focus to the row of a message by arrow keys. */
  const goToRow = async (text: string) => {
    const id = await rowOf(page, text).getAttribute('data-id')
    for (const key of ['ArrowUp', 'ArrowDown'])
      for (let pressed = 0; pressed < 5; pressed++) {
        await press(key)
        if (await hasFocus(`.Row[data-id="${id}"]`)) return
      }
    assert.fail(`arrows do not reach ${text}`)
  }
  const leaveField = async () => {
    await press('Escape')
    await eventually(async () => !(await hasFocus('textarea, input')))
  }
  return {
    async signIn({ email, password }) {
      await pressUntil('Tab', 'input[name=username]')
      await page.keyboard.type(email)
      await pressUntil('Tab', 'input[name=password]')
      await page.keyboard.type(password)
      await press('Enter')
    },
    async openTopic() {
      await pressUntil('Tab', '.Inbox-row')
      await press('Enter')
    },
    async write(text) {
      await pressUntil('Tab', '.Composer .WritingField-text')
      await page.keyboard.type(text)
      await press('Control+Enter')
      await rowOf(page, text).waitFor()
      await leaveField()
    },
    async react(text) {
      await goToRow(text)
      await press(':')
      await page.waitForSelector('.EmojiPicker-field:focus')
      await page.keyboard.type('tada')
      await page.waitForSelector('.EmojiPicker-choice[aria-label=tada]')
      await press('Enter')
      await page.waitForSelector('.EmojiPicker-choice', { state: 'detached' })
    },
    async edit(text, more) {
      await goToRow(text)
      await press('e')
      await page.waitForSelector('.EditRow .WritingField-text:focus')
      await eventually(async () => (await page.inputValue('.EditRow .WritingField-text')).includes(text))
      await press('Control+End')
      await page.keyboard.type(more)
      await press('Control+Enter')
      await page.waitForSelector('.EditRow', { state: 'detached' })
    },
    async move(text, topic) {
      await goToRow(text)
      await press('m')
      await pressUntil('Tab', '.MoveDialog .TopicField-input')
      await press('Control+a')
      await page.keyboard.type(topic)
      await pressUntil('Tab', '.MoveDialog-scopes input')
      await pressUntil('ArrowUp', '.MoveDialog-scopes label:first-of-type input')
      await pressUntil('Tab', '.Dialog .Button-primary')
      await press('Enter')
    },
    async signOut() {
      if (await page.isVisible('.ViewFrame-back button')) {
        await pressUntil('Shift+Tab', '.ViewFrame-back button')
        await press('Enter')
      }
      await pressUntil('Shift+Tab', '.NavMenus-account')
      await press('Enter')
      await page.waitForSelector('.Menu-item:has-text("Sign out")')
      for (let pressed = 0; pressed < 20; pressed++) {
        if (await page.evaluate('document.activeElement.textContent.includes("Sign out")')) break
        await press('ArrowDown')
      }
      await press('Enter')
    },
  }
}

let travellers = 0

/**
 * Kinds of input, with the widths at which each is tested. The gate tests each at one width;
 * accessible-journeys.test.ts uses the pointer on a wide screen.
 */
const means = {
  'the pointer': { travel: byPointer, widths: bySize({ gate: [360], long: [1280, 360] }) },
  'keys alone': { travel: byKeys, widths: bySize({ gate: [1280], long: [1280, 360] }) },
}

for (const [name, { travel, widths }] of Object.entries(means))
  for (const width of widths)
    test(`a person signs in, reads, writes, reacts, edits, moves and signs out by ${name} at ${width} px`, async () => {
      const account = `traveller${++travellers}`
      const person = await world.person(account)
      const stream = await world.stream(`garden of ${account}`, { members: [person, otto] })
      const send = (content: string) =>
        otto.messages.send({ type: 'stream', to: stream.name, topic: 'roses', content })
      const { id } = await send('Who prunes the roses?')
      await send('The south wall is first.')
      const context = await site.browser.newContext({
        locale: 'en-GB',
        reducedMotion: 'reduce',
        viewport: { width, height: width === 360 ? 640 : 800 },
      })
      context.setDefaultTimeout(120_000)
      const page = await context.newPage()
      collectProblems(page, site.problems)
      const traveller = travel(page)
      await page.goto(`${world.nodes.b.url}/#inbox`)
      await page.waitForURL(/\/login/)
      await traveller.signIn(person)
      await page.waitForSelector('.Inbox-row:has-text("roses")')

      await traveller.openTopic('roses')
      await page.waitForSelector(`.Row[data-id="${id}"]`)
      await eventually(async () => {
        const { unread_msgs } = await person.events.register({
          fetch_event_types: ['message', 'update_message_flags'],
        })
        return unread_msgs?.count === 0
      })

      await traveller.write('I do, on Monday.')
      await rowOf(page, 'I do, on Monday.').waitFor()

      await traveller.react('Who prunes the roses?')
      await page.waitForSelector(`.Row[data-id="${id}"] .Reactions-pill[aria-pressed=true]`)

      await traveller.edit('I do, on Monday.', ' Or Tuesday.')
      await page.waitForSelector('.Row[data-id]:has-text("Or Tuesday.") .Row-marks')

      await traveller.move('Or Tuesday.', 'pruning')
      await rowOf(page, 'Or Tuesday.').waitFor({ state: 'detached' })
      const { messages } = await person.messages.list({
        anchor: 'newest',
        num_before: 5,
        num_after: 0,
        narrow: [{ operator: 'topic', operand: 'pruning', negated: false }],
        apply_markdown: false,
      })
      assert.ok(messages.some(({ content }) => content === 'I do, on Monday. Or Tuesday.'))
      const [reacted] = (await otto.messages.list({ anchor: String(id), num_before: 0, num_after: 0 }))
        .messages
      assert.deepEqual(
        reacted?.reactions.map(({ emoji_name }) => emoji_name),
        ['tada'],
      )

      await traveller.signOut()
      await page.waitForURL(/\/login/)
      await page.goto(`${world.nodes.b.url}/`)
      await page.waitForURL(/\/login/)
      await context.close()
    })

test('no journey violates the content security policy', () => {
  assert.deepEqual(site.problems, [])
})
