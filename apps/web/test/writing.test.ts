import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually, pngOf } from '@oxbow/testkit'
import type { Route } from 'playwright-core'
import {
  applyLook,
  findAccessProblems,
  goTo,
  looks,
  startClientSite,
  takePicture,
  waitForLayout,
  windowsFor,
} from './open-client.ts'

const site = await startClientSite()
after(() => site[Symbol.asyncDispose]())
const { world } = site
const [iris, otto] = [await world.person('iris'), await world.person('otto')]
const fern = await world.person('fern')
const garden = await world.stream('garden', { members: [iris, otto] })
await otto.messages.send({ type: 'stream', to: garden.name, topic: 'roses', content: 'Who prunes?' })

const page = await site.openAs(iris, `#narrow/stream/${garden.stream_id}-garden/topic/roses`)
const field = page.locator('.Composer .WritingField-text')
const lastRow = page.locator('.Row[data-id]').last()

/** Returns the texts of a topic's messages on the server, oldest first. */
async function listContents(topic = 'roses'): Promise<string[]> {
  const { messages } = await otto.messages.list({
    anchor: 'newest',
    num_before: 50,
    num_after: 0,
    narrow: [{ operator: 'topic', operand: topic }],
    apply_markdown: false,
  })
  return messages.map(({ content }) => content)
}

async function write(text: string): Promise<void> {
  await field.focus()
  await page.keyboard.insertText(text)
  await page.keyboard.press('Control+Enter')
}

const pngBytes = [...pngOf(40, 30)]

interface Clipboard {
  /** Texts by type. */
  texts?: Record<string, string>
  file?: { name: string; type: string; bytes: number[] }
}

/** Pastes into the element with the focus. Returns whether the page handles the paste itself. */
const paste = ({ texts = {}, file }: Clipboard) =>
  page.evaluate(`(() => {
    const clipboardData = new DataTransfer()
    for (const [type, text] of Object.entries(${JSON.stringify(texts)})) clipboardData.setData(type, text)
    const file = ${JSON.stringify(file ?? null)}
    if (file) clipboardData.items.add(new File([new Uint8Array(file.bytes)], file.name, { type: file.type }))
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    document.activeElement.dispatchEvent(event)
    return event.defaultPrevented
  })()`)

test('the preview has the same HTML as the sent message', async () => {
  await field.focus()
  await page.keyboard.type('I do, **on Monday** with @ot')
  await page.waitForSelector('.Typeahead-row:has-text("Otto Gardener")')
  await page.keyboard.press('Enter')
  await page.keyboard.insertText(':rose: `shears` https://a.example')
  await page.keyboard.press('Alt+p')
  const preview = page.locator('.Preview .Body')
  const shown = await eventually(async () => {
    const html = await preview.innerHTML()
    return html.includes('shears') && html
  })
  await page.keyboard.press('Control+Enter')
  const row = page.locator('.Row[data-id]:has-text("on Monday") .Body')
  assert.equal(await row.innerHTML(), shown)
  await page.waitForSelector('.Row-unsent', { state: 'detached' })
  assert.equal(
    (await listContents()).at(-1),
    'I do, **on Monday** with @**Otto Gardener** :rose: `shears` https://a.example',
  )
  assert.equal(await field.inputValue(), '')
  await page.keyboard.press('Alt+p')
})

test('the row of a sent message is not rendered again when the server confirms the same HTML', async () => {
  await field.focus()
  await page.keyboard.insertText('Kept **as it is** :rose:')
  // The focus loaded the renderer, without which the row would show plain text.
  await page.evaluate(`window.bodies = []
    window.changes = []
    new MutationObserver(() => {
      const body = document.querySelector('.Row-unsent:last-child .Body')
      if (!body || window.bodies.length > 0) return
      window.bodies.push(body)
      new MutationObserver((records) => window.changes.push(...records.map(({ type }) => type)))
        .observe(body, { childList: true, subtree: true, attributes: true, characterData: true })
    }).observe(document.querySelector('.MessageList-rows'), { childList: true, subtree: true })`)
  await page.keyboard.press('Control+Enter')
  const row = page.locator('.Row[data-id]:has-text("Kept as it is")')
  await row.waitFor()
  await page.waitForSelector('.Row-unsent', { state: 'detached' })
  assert.equal(await row.locator('strong').count(), 1)
  const keptIn = await page.evaluate(
    "window.bodies[0].closest('.MessageList-rows .Row[data-id]')?.dataset.id",
  )
  assert.equal(keptIn, await row.getAttribute('data-id'))
  assert.deepEqual(await page.evaluate('window.changes'), [])
})

test('messages written without a network wait, and are sent once and in order when the network returns', async () => {
  await page.context().setOffline(true)
  await write('first offline')
  await write('second offline')
  await page.waitForSelector('.Row-unsent[data-state=waiting]')
  assert.equal(await page.locator('.Row-unsent').count(), 2)
  await page.context().setOffline(false)
  await page.waitForSelector('.Row-unsent', { state: 'detached', timeout: 120_000 })
  const contents = await listContents()
  assert.deepEqual(contents.slice(-2), ['first offline', 'second offline'])
  assert.equal(await page.locator('.Row[data-id]:has-text("offline")').count(), 2)
})

test('a message that the server refuses shows the reason and can be edited', async () => {
  const tooLongAsHtml = ':+1: '.repeat(1900)
  await write(tooLongAsHtml)
  await page.waitForSelector('.Row-unsent [role=alert]')
  assert.match(await page.innerText('.Row-unsent [role=alert]'), /render/i)
  await page.click('.Row-unsent button:has-text("Edit")')
  await page.waitForSelector('.Row-unsent', { state: 'detached' })
  assert.equal(await field.inputValue(), tooLongAsHtml.trimEnd())
  await field.fill('')
})

test("the up arrow in an empty composer edits the user's last message", async () => {
  await field.focus()
  await page.keyboard.press('ArrowUp')
  const edit = page.locator('.EditRow .WritingField-text')
  await eventually(async () => (await edit.inputValue()) === 'second offline')
  await edit.fill('second, edited')
  await page.keyboard.press('Control+Enter')
  await page.waitForSelector('.Row[data-id]:has-text("second, edited") .Row-marks')
  await eventually(async () => (await listContents()).at(-1) === 'second, edited')
})

test('a reaction is added in the toolbar and removed by its pill', async () => {
  await lastRow.hover()
  await page.click('.Toolbar [aria-haspopup=dialog]')
  await page.waitForSelector('.EmojiPicker-field:focus')
  await page.keyboard.type('tada')
  await page.waitForSelector('.EmojiPicker-choice[aria-label=tada]')
  await page.keyboard.press('Enter')
  await page.waitForSelector('.Reactions-pill[aria-pressed=true]')
  await page.click('.Reactions-pill')
  await page.waitForSelector('.Reactions-pill', { state: 'detached' })
})

test('a reaction to a message is sent while a reaction to another message waits for its answer', async () => {
  const path = '**/api/v1/messages/*/reactions'
  const requested: Route[] = []
  await page.route(path, (route) => {
    requested.push(route)
    return requested.length === 1 ? undefined : route.continue()
  })
  for (const row of [lastRow, page.locator('.Row[data-id]').first()]) {
    await row.locator('.Row-message').focus()
    await page.keyboard.press('+')
    await row.locator('.Reactions-pill[aria-pressed=true]').waitFor()
  }
  await eventually(() => requested.length === 2)
  await requested[0]?.continue()
  await eventually(async () => {
    const { messages } = await otto.messages.list({ anchor: 'oldest', num_before: 0, num_after: 50 })
    return messages.filter(({ reactions }) => reactions.length > 0).length === 2
  })
  await page.unroute(path)
})

test('a message that arrives is announced as one line, without the content of its spoilers', async () => {
  const content = 'It is **late**\n\n```spoiler The winner\nOtto\n```\n:tada:'
  await otto.messages.send({ type: 'stream', to: garden.name, topic: 'roses', content })
  const log = page.locator('.MessageList [role=log]')
  await eventually(async () => (await log.textContent()) === 'Otto Gardener: It is late The winner 🎉')
  await field.focus()
})

test('the menu of a message explains why an action is not allowed', async () => {
  await page.locator('.Row[data-id]').first().hover()
  await page.click('.Toolbar [aria-haspopup=menu]')
  await page.waitForSelector('.Menu-item[aria-disabled]:has-text("Delete") .Menu-refusal')
  await page.keyboard.press('Escape')
})

test('a pasted picture is uploaded and linked with its description', async () => {
  await field.focus()
  assert.equal(await paste({ file: { name: 'wall.png', type: 'image/png', bytes: pngBytes } }), true)
  await page.fill('.UploadTiles-description', 'The south wall')
  assert.match(await field.inputValue(), /^\[The south wall\]\(\/user_uploads\/.*wall\.png\)\n$/)
  await field.focus()
  await page.keyboard.press('Control+Enter')
  await page.waitForSelector('.Row[data-id] .message_inline_image img')
  assert.equal(await page.locator('.UploadTiles').count(), 0)
})

test('text that the clipboard also has as a picture is pasted as text', async () => {
  await field.focus()
  const handled = await paste({
    texts: { 'text/plain': 'a\tb', 'text/html': '<table><tr><td>a</td><td>b</td></tr></table>' },
    file: { name: 'image.png', type: 'image/png', bytes: pngBytes },
  })
  assert.equal(handled, false)
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  assert.equal(await page.locator('.UploadTiles').count(), 0)
})

test('a file that is dropped on the messages is uploaded, and its link is added to the draft', async () => {
  const dragFile = (name: string) =>
    page.evaluate(`(() => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['Bring gloves.'], 'gloves.txt', { type: 'text/plain' }))
      const event = new DragEvent('${name}', { dataTransfer, bubbles: true, cancelable: true })
      document.querySelector('.MessageList').dispatchEvent(event)
      return event.defaultPrevented
    })()`)
  assert.equal(await dragFile('dragover'), true)
  await page.waitForSelector('.Composer-drop')
  assert.equal(await dragFile('drop'), true)
  await page.waitForSelector('.Composer-drop', { state: 'detached' })
  await eventually(async () =>
    /\[gloves\.txt\]\(\/user_uploads\//.test(await page.inputValue('.Composer textarea')),
  )
  await page.fill('.Composer textarea', '')
})

test('a picture of the page that is dropped on the page is not uploaded', async () => {
  await page.evaluate(`(() => {
    const picture = document.querySelector('.Row .message_inline_image img')
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['wall'], 'wall.png', { type: 'image/png' }))
    for (const name of ['dragstart', 'dragover', 'drop', 'dragend'])
      picture.dispatchEvent(new DragEvent(name, { dataTransfer, bubbles: true, cancelable: true }))
  })()`)
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  assert.equal(await page.locator('.Composer-drop, .UploadTiles :text("wall.png")').count(), 0)
  assert.equal(await page.inputValue('.Composer textarea'), '')
})

test('a message sent without a topic offers a button to name the topic', async () => {
  await page.evaluate(`location.hash = '#narrow/stream/${garden.stream_id}-garden'`)
  await page.waitForSelector('.Composer .TopicField-input')
  await write('What a day')
  const row = page.locator('.Row[data-id]:has-text("What a day")')
  await row.getByRole('button', { name: 'Name this topic' }).click()
  await page.fill('.MoveDialog .TopicField-input', 'weather')
  await page.click('.Dialog .Button-primary')
  await page.waitForSelector('.Dialog', { state: 'detached' })
  await page.waitForSelector('.Bar:has-text("weather")')
  assert.equal(await page.getByRole('button', { name: 'Name this topic' }).count(), 0)
  await page.goBack()
})

const streamHash = `#narrow/stream/${garden.stream_id}-garden`
const topicField = page.locator('.Composer .TopicField-input')

test('a reply in a stream view is sent to the topic of its message', async () => {
  await otto.messages.send({ type: 'stream', to: garden.name, topic: 'tulips', content: 'Which colour?' })
  await goTo(page, streamHash)
  await topicField.fill('compost')
  await page.locator('.Row[data-id]:has-text("Which colour?") article').focus()
  await page.keyboard.press('r')
  await page.waitForSelector('.Composer textarea:focus')
  await write('Yellow')
  await eventually(async () => (await listContents('tulips')).includes('Yellow'))
  assert.equal(await topicField.inputValue(), 'tulips')
})

test('a reply in a stream view opens the topic of its message if a text for another topic was begun', async () => {
  await goTo(page, streamHash)
  await topicField.fill('compost')
  await field.fill('Turn it every week')
  await page.locator('.Row[data-id]:has-text("Which colour?") article').focus()
  await page.keyboard.press('@')
  await page.waitForSelector('.Composer[aria-label*=tulips] textarea:focus')
  await eventually(async () => (await field.inputValue()).includes('@**Otto Gardener**'))
  await field.fill('')
  await goTo(page, streamHash)
  assert.equal(await topicField.inputValue(), 'compost')
  assert.equal(await field.inputValue(), 'Turn it every week')
  await field.fill('')
})

test('a reply and a quotation in lists without a composer open the conversation of the message', async () => {
  await goTo(page, `${streamHash}/search/colour`)
  await page.locator('.Row[data-id]:has-text("Which colour?")').hover()
  await page.click('.Toolbar [aria-label=Quote]')
  await page.waitForSelector('.Composer[aria-label*=tulips] textarea:focus')
  await eventually(async () => /said.*Which colour\?/s.test(await field.inputValue()))
  await field.fill('')

  await goTo(page, '#narrow/in/home')
  await page.locator('.Row[data-id]:has-text("Which colour?")').hover()
  await page.click('.Toolbar [aria-haspopup=menu]')
  await page.click('.Menu-item:has-text("Reply")')
  await page.waitForSelector('.Composer[aria-label*=tulips] textarea:focus')
})

test('in a new message, the text and its files move along when the recipients change', async () => {
  const text = page.locator('.WriteDialog textarea')
  const choose = async (name: string) => {
    await page.fill('.WriteDialog-field', name)
    await page.click(`.WriteDialog .Typeahead-title bdi:text-is("${name}")`)
    await page.waitForSelector(`.WriteDialog-chip:has-text("${name}")`)
  }
  const remove = (name: string) => page.click(`.WriteDialog-chip:has-text("${name}")`)
  await goTo(page, `#narrow/pm-with/${otto.user_id}-otto`)
  await field.fill('Tea at four?')
  await goTo(page, '#inbox')
  await page.keyboard.press('x')
  await choose('Otto Gardener')
  await eventually(async () => (await text.inputValue()) === 'Tea at four?')
  await choose('Fern Gardener')
  // A text that was written elsewhere stays with its recipients.
  await eventually(async () => (await text.inputValue()) === '')

  await text.fill('Hello both')
  await paste({ file: { name: 'gloves.txt', type: 'text/plain', bytes: [1] } })
  await eventually(async () => /^Hello both\n\[gloves.txt\]/.test(await text.inputValue()))
  await remove('Fern')
  await eventually(async () => (await text.inputValue()) === 'Tea at four?')
  await remove('Otto')
  await choose('garden')
  await page.waitForSelector('.WriteDialog .TopicField-input')
  assert.match(await text.inputValue(), /^Hello both\n\[gloves.txt\]/)
  assert.equal(await page.locator('.WriteDialog .UploadTiles li').count(), 1)
  await page.click('.Dialog [aria-label=Close]')
  await goTo(page, '#drafts')
  const drafts = page.locator('.Drafts-draft')
  assert.match((await drafts.allInnerTexts()).join(), /garden.*Hello both.*Otto Gardener.*Tea at four/s)
  assert.equal(await drafts.count(), 2)
  await goTo(page, `${streamHash}/topic/roses`)
})

test('a text that waits for its files is not sent without them when the recipients change', async () => {
  const text = page.locator('.WriteDialog textarea')
  const choose = async (name: string) => {
    await page.fill('.WriteDialog-field', name)
    await page.click(`.WriteDialog .Typeahead-title bdi:text-is("${name}")`)
    await page.waitForSelector(`.WriteDialog-chip:has-text("${name}")`)
  }
  await goTo(page, `#narrow/pm-with/${otto.user_id},${fern.user_id}-group`)
  await field.fill('Tea for three?')
  await goTo(page, '#inbox')
  const { promise: held, resolve: hold } = Promise.withResolvers<Route>()
  await page.route('**/api/v1/user_uploads', hold, { times: 1 })
  await page.keyboard.press('x')
  await choose('Otto Gardener')
  await text.fill('See the plan')
  await paste({ file: { name: 'plan.txt', type: 'text/plain', bytes: [1] } })
  const upload = await held
  await page.click('.WriteDialog button:has-text("Send")')
  await page.getByRole('button', { name: 'Do not send when uploaded' }).waitFor()
  await choose('Fern Gardener')
  await eventually(async () => (await text.inputValue()) === 'Tea for three?')
  await page.getByRole('button', { name: 'Do not send when uploaded' }).waitFor({ state: 'detached' })
  await waitForLayout(page)
  assert.equal(await page.locator('.WriteDialog').count(), 1)
  await upload.continue()
  await page.click('.Dialog [aria-label=Close]')
  await goTo(page, `#narrow/pm-with/${otto.user_id}-otto`)
  await eventually(async () => /^See the plan\n\[plan.txt\]/.test(await field.inputValue()))
  await field.fill('')
  await goTo(page, `${streamHash}/topic/roses`)
})

test('closing the page asks for confirmation while a file is uploaded', async () => {
  const isAsked = () => page.evaluate("!dispatchEvent(new Event('beforeunload', { cancelable: true }))")
  const { promise: held, resolve: hold } = Promise.withResolvers<Route>()
  await page.route('**/api/v1/user_uploads', hold, { times: 1 })
  assert.equal(await isAsked(), false)
  await field.focus()
  await paste({ file: { name: 'gloves.txt', type: 'text/plain', bytes: [1] } })
  const upload = await held
  assert.equal(await isAsked(), true)
  await upload.continue()
  await eventually(async () => /\[gloves.txt\]/.test(await field.inputValue()))
  assert.equal(await isAsked(), false)
  await field.fill('')
})

test('a file whose link is deleted is no longer shown below the text', async () => {
  const tile = page.locator('.Composer .UploadTiles li')
  await field.focus()
  await paste({ file: { name: 'gloves.txt', type: 'text/plain', bytes: [1] } })
  await eventually(async () => /\[gloves.txt\]/.test(await field.inputValue()))
  assert.equal(await tile.count(), 1)
  await field.fill('Without gloves')
  await tile.waitFor({ state: 'detached' })
  await field.fill('')
})

test('an unfinished text is kept as a draft, and c starts a message from anywhere', async () => {
  await field.focus()
  await page.keyboard.insertText('Not finished')
  await page.evaluate("location.hash = '#drafts'")
  await page.waitForSelector('.Drafts-draft:has-text("Not finished")')
  await page.locator('#main').focus()
  await page.keyboard.press('c')
  await page.waitForSelector('.WriteDialog-field')
  await page.keyboard.type('gard')
  await page.keyboard.press('Enter')
  await page.waitForSelector('.WriteDialog .TopicField-input')
  await page.click('.Dialog [aria-label=Close]')
  await page.waitForSelector('.Dialog', { state: 'detached' })
  await page.goBack()
  await eventually(async () => (await field.inputValue()) === 'Not finished')
})

const countCopies = async () => (await otto.drafts.list()).count

test('a message to a new topic does not return as a draft', async () => {
  const laptop = await site.openAs(otto, `#narrow/stream/${garden.stream_id}-garden`)
  await laptop.fill('.Composer .TopicField-input', 'hedges')
  await laptop.fill('.Composer .WritingField-text', 'Cut them in June')
  await eventually(async () => (await countCopies()) === 1)
  await laptop.press('.Composer .WritingField-text', 'Control+Enter')
  await laptop.waitForSelector('.Row[data-id]:has-text("Cut them in June")')
  await eventually(async () => (await countCopies()) === 0)
  await goTo(laptop, '#drafts')
  assert.equal(await laptop.locator('.Drafts-draft').count(), 0)
})

test('a draft that is sent on one device disappears on another', async () => {
  const hash = `#narrow/stream/${garden.stream_id}-garden/topic/roses`
  const [laptop, phone] = [await site.openAs(otto, hash), await site.openAs(otto, hash)]
  const fieldOf = (device: typeof page) => device.locator('.Composer .WritingField-text')
  await fieldOf(laptop).fill('By evening')
  await eventually(async () => (await fieldOf(phone).inputValue()) === 'By evening')
  await fieldOf(phone).press('Control+Enter')
  await phone.waitForSelector('.Row[data-id]:has-text("By evening")')
  await eventually(async () => (await fieldOf(laptop).inputValue()) === '')
  assert.equal(await countCopies(), 0)
})

for (const name of ['light', 'dark'] as const)
  test(`the composer is accessible and fits the browser window: ${name}`, async () => {
    await applyLook(page, looks[name])
    await field.focus()
    for (const { width, height } of windowsFor(name)) {
      await page.setViewportSize({ width, height })
      await takePicture(page, `writing-${name}-${width}`)
      assert.deepEqual(await findAccessProblems(page), [], `${width}`)
    }
  })

for (const width of [360, 390])
  test(`by touch at ${width} px, the composer stays within the screen and a tap elsewhere hides the toolbar`, async () => {
    const phone = await site.openAs(iris, `#narrow/stream/${garden.stream_id}-garden/topic/roses`, {
      viewport: { width, height: 700 },
      hasTouch: true,
      isMobile: true,
    })
    await phone.locator('.Row[data-id] .Body').first().tap()
    await phone.waitForSelector('.Toolbar')
    await phone.locator('.Composer .WritingField-text').tap()
    await phone.waitForSelector('.Toolbar', { state: 'detached' })
    await phone.waitForSelector('.Composer[data-open]')
    await takePicture(phone, `writing-touch-${width}`)
    const edges = await phone.evaluate(`['.Composer', '.Composer-bar button[type=submit]'].map((part) => {
      const { left, right } = document.querySelector(part).getBoundingClientRect()
      return left >= 0 && right <= ${width}
    })`)
    assert.deepEqual(edges, [true, true])
    assert.equal(await phone.evaluate('document.documentElement.scrollWidth'), width)
    await phone.context().close()
  })

test('the toolbar disappears when the pointer leaves the messages', async () => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.locator('.Row[data-id] .Body').last().hover()
  await page.waitForSelector('.Toolbar')
  await page.mouse.move(1270, 10)
  await page.waitForSelector('.Toolbar', { state: 'detached' })
})

test('no script, style or request violates the content security policy', () => {
  assert.deepEqual(site.problems, [])
})
