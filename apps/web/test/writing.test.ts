import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually, pngOf } from '@oxbow/testkit'
import {
  applyLook,
  findAccessProblems,
  looks,
  startClientSite,
  takePicture,
  windowsFor,
} from './open-client.ts'

const site = await startClientSite()
after(() => site[Symbol.asyncDispose]())
const { world } = site
const [iris, otto] = [await world.person('iris'), await world.person('otto')]
const garden = await world.stream('garden', { members: [iris, otto] })
await otto.messages.send({ type: 'stream', to: garden.name, topic: 'roses', content: 'Who prunes?' })

const page = await site.openAs(iris, `#narrow/stream/${garden.stream_id}-garden/topic/roses`)
const field = page.locator('.Composer .WritingField-text')
const lastRow = page.locator('.Row[data-id]').last()

/** Returns the texts of the topic's messages on the server, oldest first. */
async function listContents(): Promise<string[]> {
  const { messages } = await otto.messages.list({
    anchor: 'newest',
    num_before: 50,
    num_after: 0,
    narrow: [{ operator: 'topic', operand: 'roses' }],
    apply_markdown: false,
  })
  return messages.map(({ content }) => content)
}

async function write(text: string): Promise<void> {
  await field.focus()
  await page.keyboard.insertText(text)
  await page.keyboard.press('Control+Enter')
}

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
  const bytes = [...pngOf(40, 30)]
  await page.evaluate(
    `{ const data = new DataTransfer()
      data.items.add(new File([new Uint8Array(${JSON.stringify(bytes)})], 'wall.png', { type: 'image/png' }))
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })) }`,
  )
  await page.fill('.UploadTiles-description', 'The south wall')
  assert.match(await field.inputValue(), /^\[The south wall\]\(\/user_uploads\/.*wall\.png\)\n$/)
  await field.focus()
  await page.keyboard.press('Control+Enter')
  await page.waitForSelector('.Row[data-id] .message_inline_image img')
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
