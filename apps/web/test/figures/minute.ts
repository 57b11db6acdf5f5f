import type { MeasuredPage } from './measured-page.ts'
import { visitTopics } from './memory.ts'
import { isPicture } from './starting.ts'
import type { Team } from './team.ts'
import { startTraffic } from './traffic.ts'

/** Number of topics read, and of messages sent, in a minute of usual work. */
const visits = 8
const sends = 4

/**
 * Does the work of a minute: reads topics, writes, reacts and edits, while other people write.
 * Returns the requests, except those for the event stream and avatars.
 */
export async function useForOneMinute(
  measured: MeasuredPage,
  team: Team,
  eventsPerSecond: number,
): Promise<string[]> {
  const { page, requests } = measured
  const before = requests.length
  const traffic = startTraffic(team, eventsPerSecond)
  await visitTopics(measured, team.topics.slice(0, visits))
  const field = page.locator('.Composer .WritingField-text')
  for (let turn = 0; turn < sends; turn++) {
    await field.focus()
    await page.keyboard.type(`Message ${turn} of this minute`)
    await page.keyboard.press('Control+Enter')
    await page.waitForSelector(`.Row[data-id]:has-text("Message ${turn} of this minute")`)
  }
  await page.locator('.Row[data-id]').last().hover()
  await page.click('.Toolbar [aria-haspopup=dialog]')
  await page.waitForSelector('.EmojiPicker-field:focus')
  await page.keyboard.type('tada')
  await page.waitForSelector('.EmojiPicker-choice[aria-label=tada]')
  await page.keyboard.press('Enter')
  await page.waitForSelector('.Reactions-pill[aria-pressed=true]')
  await field.focus()
  await page.keyboard.press('ArrowUp')
  await page.waitForSelector('.EditRow .WritingField-text:focus')
  await page.keyboard.type(' (edited)')
  await page.keyboard.press('Control+Enter')
  await page.waitForSelector('.Row[data-id]:has-text("(edited)") .Row-marks')
  await traffic.stop()
  return requests.slice(before).filter((request) => request !== 'GET /api/v1/events' && !isPicture(request))
}
