import { type MeasuredPage, settle } from './measured-page.ts'

export interface Scrolled {
  /** Number of messages that had a row at some time. */
  messages: number
  /** Number of times that the rows changed during the scrolling. */
  changes: number
  /** The largest distance that a visible row moved because the rows changed, in pixels. */
  maxMoved: number
  maxRows: number
  maxNodes: number
  frames: number
  /** Number of frames that came more than 50 ms after the previous one. */
  longFrames: number
}

/**
 * Watches a list of messages. Scrolling moves rows only before a `scroll` event, so a change of the
 * rows after that event must leave every visible row at its position.
 */
const watch = `{
  const scroller = document.querySelector('.MessageList-scroller')
  const seen = new Set()
  const facts = { changes: 0, maxMoved: 0, maxRows: 0, maxNodes: 0, frames: 0, longFrames: 0 }
  let places = new Map()
  const note = () => {
    const { top, bottom } = scroller.getBoundingClientRect()
    const rows = [...scroller.querySelectorAll('.Row[data-id]')]
    places = new Map()
    for (const row of rows) {
      seen.add(row.dataset.id)
      const box = row.getBoundingClientRect()
      if (box.bottom > top + 1 && box.top < bottom) places.set(row.dataset.id, box.top)
    }
    facts.maxRows = Math.max(facts.maxRows, rows.length)
  }
  const compare = () => {
    facts.changes++
    const rows = new Map([...scroller.querySelectorAll('.Row[data-id]')].map((row) => [row.dataset.id, row]))
    for (const [id, top] of places) {
      const row = rows.get(id)
      if (!row) continue
      facts.maxMoved = Math.max(facts.maxMoved, Math.abs(row.getBoundingClientRect().top - top))
      break
    }
    facts.maxNodes = Math.max(facts.maxNodes, document.querySelectorAll('*').length)
    note()
  }
  note()
  const observer = new MutationObserver(compare)
  observer.observe(scroller.querySelector('.MessageList-rows'), { childList: true })
  document.addEventListener('scroll', note, { capture: true, passive: true })
  let before
  let isWatching = true
  const frame = (now) => {
    if (before !== undefined) {
      facts.frames++
      if (now - before > 50) facts.longFrames++
    }
    before = now
    if (isWatching) requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
  figures.stopWatching = () => {
    isWatching = false
    observer.disconnect()
    document.removeEventListener('scroll', note, { capture: true })
    return { ...facts, messages: seen.size }
  }
}`

/** Scrolls the list by wheel to its first message and back to its last. */
export async function scrollUpAndDown(measured: MeasuredPage, isWhole: ScrollEnds): Promise<Scrolled> {
  const { page } = measured
  await page.evaluate(watch)
  const box = await page.locator('.MessageList-scroller').boundingBox()
  if (!box) throw new Error('no list is shown')
  await page.mouse.move(box.x + box.width - 4, box.y + box.height / 2)
  for (const [deltaY, end] of [
    [-900, isWhole.first],
    [900, isWhole.last],
  ] as const) {
    for (let turn = 0; !(await isShown(measured, end)); turn++) {
      if (turn > 20_000) throw new Error(`message ${end} is not reached by the wheel`)
      await page.mouse.wheel(0, deltaY)
    }
  }
  await settle(measured)
  return page.evaluate('figures.stopWatching()')
}

export interface ScrollEnds {
  first: number
  last: number
}

const isShown = ({ page }: MeasuredPage, id: number): Promise<boolean> =>
  page.evaluate(`(() => {
    const row = document.querySelector('.Row[data-id="${id}"]')
    const list = document.querySelector('.MessageList-scroller').getBoundingClientRect()
    if (!row) return false
    const box = row.getBoundingClientRect()
    return box.bottom > list.top && box.top < list.bottom
  })()`)
