import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { MessageId } from '@oxbow/contract'
import { eventually, pngOf } from '@oxbow/testkit'
import { writeHash } from '../src/client/route/hash.ts'
import { topicRoute } from '../src/client/route/route.ts'
import {
  applyLook,
  findAccessProblems,
  goTo,
  looks,
  startClientSite,
  takePicture,
  waitForLayout,
} from './open-client.ts'

// How rows show long texts, pictures and tables.
const site = await startClientSite()
after(() => site[Symbol.asyncDispose]())
const { world } = site
const [iris, otto] = [await world.person('iris'), await world.person('otto')]
const garden = await world.stream('garden', { members: [iris, otto] })
const [gate, pond] = await Promise.all(
  ['gate.png', 'pond.png'].map((name) => otto.uploads.upload({ files: [{ name, bytes: pngOf(1200, 900) }] })),
)
const pictures = `[gate.png](${gate?.uri})\n[pond.png](${pond?.uri})`
const hashOf = (topic: string) => writeHash(topicRoute(garden, topic))
const send = async (topic: string, content: string) =>
  (await otto.messages.send({ type: 'stream', to: garden.name, topic, content })).id

const page = await site.openAs(iris)

/** Opens a topic on a phone, or with another width, and waits for its newest message. */
async function show(topic: string, id: number, width = 360): Promise<void> {
  await page.setViewportSize({ width, height: 640 })
  await goTo(page, hashOf(topic))
  await page.waitForSelector(`.Row[data-id="${id}"] .Body > *`)
  await waitForLayout(page)
}

/** Sends a message to a topic and shows it on a phone. */
async function sendAndShow(topic: string, content: string): Promise<void> {
  await show(topic, await send(topic, content))
}

/** Takes pictures of what the page shows, and checks that it is accessible. */
async function checkLooks(shown: string): Promise<void> {
  for (const [name, width] of [
    ['dark', 360],
    ['light', 1024],
  ] as const) {
    await page.setViewportSize({ width, height: 640 })
    await applyLook(page, looks[name])
    await waitForLayout(page)
    await takePicture(page, `${shown} ${name}`)
    assert.deepEqual(await findAccessProblems(page, '.MessageList'), [], `${shown} ${name}`)
  }
}

const isFolded = () => page.evaluate("document.querySelector('.FoldedBody').hasAttribute('data-folded')")

test('lists load the thumbnails of pictures, and the lightbox loads the original', async () => {
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  await sendAndShow('gate', `[gate.png](${gate?.uri})`)
  await eventually(() => page.evaluate("document.querySelector('.Row .Body img').naturalWidth === 747"))
  assert.equal(requested.includes(gate?.uri ?? ''), false)
  await page.click('.Row .Body .message_inline_image a')
  await eventually(() => page.evaluate("document.querySelector('.Lightbox img')?.naturalWidth === 1200"))
  await page.keyboard.press('Escape')
})

test('lists load the original of a picture that has no thumbnail', async () => {
  await page.route('**/user_uploads/thumbnail/**', (route) => route.fulfill({ status: 404 }))
  await sendAndShow('pond', `[pond.png](${pond?.uri})`)
  await eventually(() => page.evaluate("document.querySelector('.Row .Body img').naturalWidth === 1200"))
  await page.unroute('**/user_uploads/thumbnail/**')
})

test('two pictures with a caption are not collapsed, and many pictures are', async () => {
  await sendAndShow(
    'pair',
    `${pictures}\nBoth are new. The gate is at the south wall, the pond at the north fence.`,
  )
  assert.equal(await isFolded(), false)
  await checkLooks('rows-pair')
  const many = Array.from({ length: 4 }, () =>
    otto.uploads.upload({ files: [{ name: 'a.png', bytes: pngOf(600, 400) }] }),
  )
  await sendAndShow('album', (await Promise.all(many)).map(({ uri }) => `[a.png](${uri})`).join('\n'))
  assert.equal(await isFolded(), true)
})

test('after a picture at the edge of a collapsed message was opened, the message shows its beginning', async () => {
  const lines = Array.from({ length: 30 }, (_, index) => `Line ${index} of the report.`)
  const text = `The beginning\n\n${'About the wall. '.repeat(12)}\n\n[gate.png](${gate?.uri})\n\n${lines.join('\n\n')}`
  await sendAndShow('report', `${text}\n\n[end](https://a.example)`)
  assert.equal(await isFolded(), true)
  const readTop = () =>
    page.evaluate<number>(
      `document.querySelector('.FoldedBody p').getBoundingClientRect().top -
        document.querySelector('.FoldedBody').getBoundingClientRect().top`,
    )
  assert.equal(await readTop(), 0)
  await page.click('.Row .Body .message_inline_image a', { position: { x: 20, y: 5 } })
  await page.waitForSelector('.Lightbox')
  await page.keyboard.press('Escape')
  await page.waitForSelector('.Row .Body .message_inline_image a:focus')
  await waitForLayout(page)
  assert.equal(await readTop(), 0)
  assert.equal(await isFolded(), true)

  await page.locator('.Row .Body a[href="https://a.example"]').focus()
  await eventually(async () => !(await isFolded()))
  assert.equal(await readTop(), 0)
})

test('tables scroll instead of cutting words', async () => {
  const head =
    '| Stage | Responsible person | Equipment | Remarks about everything | Temperature |\n|---|---|---|---|---|\n'
  await sendAndShow(
    'table',
    `${head}| Internationalization | Bartholomew | Wheelbarrow and shears | Water the seedlings | 12 |`,
  )
  // The height of a cell with one word is that of one line.
  const measure = () =>
    page.evaluate<{ lines: number; scrolls: boolean }>(`(() => {
      const frame = document.querySelector('.message_table')
      const word = document.createRange()
      word.selectNodeContents(frame.querySelector('td'))
      return { lines: word.getClientRects().length, scrolls: frame.scrollWidth > frame.clientWidth }
    })()`)
  assert.deepEqual(await measure(), { lines: 1, scrolls: true })
  await checkLooks('rows-table')
  assert.equal((await measure()).lines, 1)
})

test('the "edited" label is in the last line of a paragraph, and right below other texts', async () => {
  const long = 'A long paragraph about the south wall, which several people pruned with ladders. '
    .repeat(3)
    .trim()
  let id = 0 as MessageId
  for (const content of [long, `Two\n\nparagraphs`, `The gate\n[gate.png](${gate?.uri})`]) {
    id = await send('edited', 'x')
    await otto.messages.edit({ message_id: id, content })
  }
  await show('edited', id, 1024)
  const measure = () =>
    page.evaluate<
      { right: number; below: number; left: number }[]
    >(`[...document.querySelectorAll('.Row[data-id]')].map((row) => {
      const text = row.querySelector('.Body')
      const lines = text.getClientRects()
      const last = lines[lines.length - 1]
      const mark = row.querySelector('.Row-marks').getBoundingClientRect()
      return { right: mark.left - last.right, left: mark.left - text.getBoundingClientRect().left, below: mark.top - last.bottom }
    })`)
  for (const width of [1024, 360]) {
    await page.setViewportSize({ width, height: 640 })
    await waitForLayout(page)
    const [paragraph, ...others] = await measure()
    assert.ok(paragraph && paragraph.right >= 0 && paragraph.right < 16, JSON.stringify(paragraph))
    assert.ok(paragraph.below < 0, JSON.stringify(paragraph))
    for (const other of others)
      assert.ok(other.left === 0 && other.below >= 0 && other.below < 12, JSON.stringify(other))
  }
  await checkLooks('rows-edited')
})

test('no test has violated the content security policy', () => {
  assert.deepEqual(site.problems, [])
})
