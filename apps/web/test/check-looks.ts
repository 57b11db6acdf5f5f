import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { applyLook, findAccessProblems, looks, takePicture } from './open-client.ts'

/** Checks that what a page shows is accessible in three looks, one of them wide, and takes pictures. */
export async function checkLooks(page: Page, shown: string): Promise<void> {
  for (const [name, width] of [
    ['light', 1280],
    ['dark', 390],
    ['right to left', 390],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    await applyLook(page, looks[name])
    await takePicture(page, `${shown}-${name}`)
    assert.deepEqual(await findAccessProblems(page), [], `${shown} ${name}`)
  }
}
