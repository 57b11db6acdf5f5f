import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testSeed } from '@oxbow/testkit/seed'
import { bySize } from '@oxbow/testkit/size'
import { openPage, type TestPage } from './browser/open-page.ts'
import { cases } from './cases/index.ts'

const generatedInputs = bySize({ gate: 2_000, long: 20_000 })
const generatedDiffs = bySize({ gate: 500, long: 3_000 })

async function call<T>({ page }: TestPage, expression: string): Promise<T> {
  return (await page.evaluate(expression)) as T
}

test('the test cases render to the same HTML in the browser', async () => {
  await using opened = await openPage()

  const rendered = await call<string[]>(opened, 'renderCases()')

  assert.equal(rendered.length, cases.length)
  for (const [index, { group, title, html }] of cases.entries()) {
    assert.equal(rendered[index], html, `${group}: ${title}`)
  }
})

test('no input of the attack corpus runs a script, sends a request or changes the DOM tree', async () => {
  await using opened = await openPage()

  const live = await call<{ faults: unknown[]; count: number }>(opened, 'checkVectors(true)')
  const withPreviews = await call<{ faults: unknown[]; count: number }>(opened, 'checkVectors(false)')

  assert.deepEqual(live.faults, [])
  assert.deepEqual(withPreviews.faults, [])
  assert.deepEqual(await call<unknown[]>(opened, 'checkHostileData()'), [])
  assert.ok(live.count >= 200)
  await expectQuiet(opened)
})

test(`none of ${generatedInputs} generated inputs runs a script, sends a request or changes the DOM tree`, async () => {
  await using opened = await openPage()

  for (let done = 0; done < generatedInputs; done += 2000) {
    const live = await call<unknown[]>(opened, `checkGenerated(${testSeed + done}, 1500, true)`)
    const withPreviews = await call<unknown[]>(opened, `checkGenerated(${testSeed + done + 1}, 500, false)`)
    assert.deepEqual([...live, ...withPreviews].slice(0, 5), [])
  }

  await expectQuiet(opened)
})

test('the browser parses the HTML of generated diffs into the tree that was written', async () => {
  await using opened = await openPage()

  const faults = await call<unknown[]>(opened, `checkDiffs(${testSeed}, ${generatedDiffs})`)

  assert.deepEqual(faults.slice(0, 3), [])
})

test('the browser check detects scripts, requests and changed trees when they occur', async () => {
  await using opened = await openPage()
  const planted = [
    ['<p onclick="x()">a</p>', 'attribute onclick of p'],
    ['<p><iframe></iframe></p>', 'element iframe'],
    ['<p><a href="java&#115;cript:x()">a</a></p>', 'link to javascript:x()'],
    ['<p><span style="color:red">a</span></p>', 'attribute style of span'],
    ['<p>a<div>b</div></p>', 'written open div, parsed close p'],
  ]
  for (const [html, fault] of planted) {
    assert.equal(await call(opened, `checkHtml(${JSON.stringify(html)}, false)`), fault)
  }

  await call(opened, `void checkHtml('<img src="https://evil.example/a.png" onerror="xss()">', true)`)
  await opened.page.waitForFunction('countScripts() > 0')
  assert.deepEqual(opened.requests, ['https://evil.example/a.png'])
})

/** Waits until the page is idle, because a request or an event handler may follow a little later. */
async function expectQuiet(opened: TestPage): Promise<void> {
  await opened.page.waitForLoadState('networkidle')
  await call(opened, 'new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))')
  const requests = opened.requests.filter((url) => !ownPictures.has(url))
  assert.deepEqual(requests, [])
  assert.equal(await call<number>(opened, 'countScripts()'), 0)
}

/** Custom emoji are pictures of this server, so they may be loaded. */
const ownPictures = new Set(
  [
    'user_avatars/2/emoji/images/1.png',
    'user_avatars/2/emoji/images/2.png',
    'user_avatars/2/emoji/images/3.png',
    'static/generated/emoji/images/emoji/unicode/chat.png',
  ].map((path) => `https://chat.example/${path}`),
)
