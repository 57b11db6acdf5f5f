import { eventually } from '@oxbow/testkit'
import { type MeasuredPage, measureAction } from './measured-page.ts'
import { hashOf, type Topic } from './team.ts'

/**
 * A conversation counts as open when its rows fill the screen. Rows above and below follow in later
 * frames.
 */
const isFull = `[...document.querySelectorAll('.MessageList-scroller')].some(
  (list) => list.scrollHeight > list.clientHeight && list.querySelectorAll('.Row[data-id]').length >= 25)`

/**
 * Opens topics by their links in the topic `contents`, which the page must show. Returns the
 * milliseconds until each topic was painted.
 */
export async function measureOpenings(
  measured: MeasuredPage,
  contents: Topic,
  topics: readonly Topic[],
): Promise<number[]> {
  const times: number[] = []
  for (const topic of topics) times.push(await openTopic(measured, contents, topic))
  return times
}

/** Opens a topic by its link, and goes back to `contents`. Returns the milliseconds until it was painted. */
async function openTopic(measured: MeasuredPage, contents: Topic, topic: Topic): Promise<number> {
  const { page } = measured
  const hash = hashOf(topic)
  const link = page.locator(`.Row .Body a[href$="${hash.slice(1)}"]`)
  await link.scrollIntoViewIfNeeded()
  const isOpen = `location.hash === '${hash}' && ${isFull}`
  const time = await measureAction(measured, 'click', isOpen, () => link.click())
  await page.goBack()
  const isBack = `location.hash === '${hashOf(contents)}' && document.querySelector('.Row .Body a[href*="/topic/"]')`
  await eventually(() => page.evaluate(`Boolean(${isBack})`))
  return time
}
