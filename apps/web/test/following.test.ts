import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually } from '@oxbow/testkit'
import {
  applyLook,
  findAccessProblems,
  looks,
  startClientSite,
  takePicture,
  waitForLayout,
  windowsFor,
} from './open-client.ts'

const site = await startClientSite()
after(() => site[Symbol.asyncDispose]())
const { world } = site
const [iris, otto] = await world.people('iris', 'otto')
const garden = await world.stream('garden', { members: [iris, otto] })
const { stream_id } = garden
const send = async (topic: string, content: string) =>
  (await otto.messages.send({ type: 'stream', to: garden.name, topic, content })).id
await send('roses', 'Who prunes?')
await send('tulips', 'Twelve bulbs')

const page = await site.openAs(iris, '#narrow/is/followed', { viewport: { width: 1440, height: 800 } })
const open = (hash: string) => page.evaluate(`location.hash = '${hash}'`)
const menuItem = (text: string) => page.locator('[role=menu]:popover-open [role=menuitem]', { hasText: text })
const openMenu = () => page.click('.ViewFrame-actions button[aria-label="Conversation menu"]')
const attention = async () =>
  (
    await world.database.query<{ topic: string; policy: number }>(
      'select topic, policy from topic_attention where organization_id = $1 and user_id = $2 order by changed_at',
      [world.organization_id, iris.user_id],
    )
  ).map(({ topic, policy }) => [topic, policy])

test('the view of followed topics says how to follow one, and shows the messages of those that are', async () => {
  await page.waitForSelector('text=No messages in followed topics.')
  await open(`#narrow/stream/${stream_id}-garden/topic/roses`)
  await page.waitForSelector('.Row')
  await openMenu()
  await menuItem('Follow the topic').click()
  await eventually(async () => (await attention()).length === 1)
  assert.deepEqual(await attention(), [['roses', 3]])

  await open('#narrow/is/followed')
  await page.waitForSelector('.Row:has-text("Who prunes?")')
  const next = await send('roses', 'I do, tomorrow')
  await send('tulips', 'Not here')
  await page.waitForSelector(`.Row[data-id="${next}"]`)
  assert.equal(await page.locator('.Row:has-text("Not here")').count(), 0)
})

test('a topic that is unfollowed leaves the view, and undo brings it back', async () => {
  await iris.subscriptions.setAttention({ stream_id, topic: 'roses', visibility_policy: 0 })
  await page.waitForSelector('text=No messages in followed topics.')
  await iris.subscriptions.setAttention({ stream_id, topic: 'ROSES', visibility_policy: 3 })
  await page.waitForSelector('.Row:has-text("Who prunes?")')

  await page.locator('.Row-message').first().focus()
  await page.keyboard.press('Shift+F')
  const line = page.locator('.Undo-line', { hasText: 'You no longer follow' })
  await line.getByRole('button', { name: 'Undo' }).click()
  await eventually(async () => (await attention()).length === 1)
  await page.waitForSelector('.Row:has-text("Who prunes?")')
})

test('lists mark followed topics, and have no accessibility problem in any look', async () => {
  await iris.messages.changeFlags({ messages: [await send('roses', 'Unread')], op: 'remove', flag: 'read' })
  await open('#recent')
  await page.waitForSelector('.Recent .FollowedMark')
  for (const name of ['light', 'dark'] as const) {
    await applyLook(page, looks[name])
    for (const { width, height } of windowsFor(name)) {
      await page.setViewportSize({ width, height })
      await waitForLayout(page)
      assert.deepEqual(await findAccessProblems(page), [])
      await takePicture(page, `recent-followed-${name}-${width}`)
    }
  }
})

test('a topic of a muted stream is unmuted by itself', async () => {
  const mute = (value: boolean) =>
    iris.subscriptions.setProperties({ subscription_data: [{ stream_id, property: 'is_muted', value }] })
  await mute(true)
  await page.setViewportSize({ width: 1440, height: 800 })
  await open(`#narrow/stream/${stream_id}-garden/topic/tulips`)
  await page.waitForSelector('.NavRow-muted:has-text("garden")')
  await openMenu()
  await menuItem('Unmute the topic').click()
  await eventually(async () => (await attention()).some(([topic]) => topic === 'tulips'))
  assert.deepEqual((await attention()).at(-1), ['tulips', 2])
  await openMenu()
  await menuItem('Mute the topic').click()
  await eventually(async () => !(await attention()).some(([topic]) => topic === 'tulips'))
  await mute(false)
})
