import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { bySize } from '@oxbow/testkit/size'
import { fillForViews, listViewHashes } from './every-view.ts'
import { applyLook, findAccessProblems, goTo, looks, startClientSite, takePicture } from './open-client.ts'

const site = await startClientSite()
after(() => site[Symbol.asyncDispose]())
const views = await fillForViews(site.world)
const hashes = listViewHashes(views)
const page = await site.openAs(views.reader)

/**
 * Combinations of theme and width. The long lane checks every view in all of them; the gate checks each
 * view in one of them.
 */
const ways = (['light', 'dark'] as const).flatMap((look) => [1280, 360].map((width) => ({ look, width })))

for (const [index, hash] of hashes.entries())
  test(`the view at ${hash || 'no fragment'} is accessible and fits the browser window`, async () => {
    await goTo(page, hash)
    assert.notEqual(await page.innerText('h1'), 'Not here yet')
    const chosen = bySize({ gate: ways.filter((_, way) => way === index % ways.length), long: ways })
    for (const { look, width } of chosen) {
      await applyLook(page, looks[look])
      await page.setViewportSize({ width, height: 700 })
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
      await takePicture(page, `view-${index}-${look}-${width}`)
      assert.deepEqual(await findAccessProblems(page), [], `${look} ${width}`)
    }
  })

test('the table of views includes the views of the first screen', () => {
  assert.ok(hashes.length >= 14, hashes.join(' '))
})

test('no view violates the content security policy', () => {
  assert.deepEqual(site.problems, [])
})
