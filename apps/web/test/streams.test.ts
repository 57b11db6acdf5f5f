import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually, type Person } from '@oxbow/testkit'
import { bySize } from '@oxbow/testkit/size'
import type { Page } from 'playwright-core'
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
const { owner } = world
const [iris, otto] = await world.people('iris', 'otto')
const gus = await world.person('gus', 'guest')
const garden = await world.stream('garden', {
  members: [owner, iris, otto, gus],
  description: 'Beds and *tools*',
})
const pond = await world.stream('pond', { members: [otto], description: 'Frogs and water lilies' })
const vault = await world.stream('vault', { members: [otto], invite_only: true })
for (const topic of ['roses', 'compost', 'tools'])
  await otto.messages.send({ type: 'stream', to: 'garden', topic, content: `About ${topic}` })

const wide = { viewport: { width: 1280, height: 800 } }
const page = await site.openAs(iris, '#streams/all', wide)
const ownerPage = await site.openAs(owner, '', wide)
const guestPage = await site.openAs(gus, '', wide)

/** Opens a view by its fragment, and waits for its heading. */
async function open(on: Page, hash: string, heading: string): Promise<void> {
  await on.evaluate(`location.hash = ${JSON.stringify(hash)}`)
  await on.waitForSelector(`h1:has-text(${JSON.stringify(heading)})`)
}

const details = (stream: { stream_id: number; name: string }, tab: string) =>
  `#streams/${stream.stream_id}/${encodeURIComponent(stream.name)}/${tab}`
const row = (on: Page, name: string) => on.locator('.FixedList-row', { hasText: name })
const isIn = async (person: Person, stream_id: number) =>
  (await person.subscriptions.list()).subscriptions.some((each) => each.stream_id === stream_id)
const findStream = async (name: string) =>
  (await owner.streams.list({ include_all_active: true })).streams.find((stream) => stream.name === name)
const focusedIn = (on: Page, part: string) =>
  on.evaluate(`document.activeElement.closest(${JSON.stringify(part)}) !== null`)

test('the list shows the streams that the user can join, with members and traffic, and no hidden ones', async () => {
  await page.waitForSelector('.StreamRow-facts:has-text("4 members")')
  const names = await page.locator('.StreamRow-name bdi').allInnerTexts()
  assert.deepEqual(names, ['garden', 'pond'])
  assert.match(await row(page, 'pond').innerText(), /Frogs and water lilies/)
  await page.click('.PageLinks-link:has-text("Mine")')
  await eventually(async () => (await page.locator('.StreamRow').count()) === 1)
  await page.click('.PageLinks-link:has-text("All")')
})

test('the filter finds streams by name and by description', async () => {
  await page.fill('.Streams-filter', 'lilies')
  await eventually(async () => (await page.locator('.StreamRow-name bdi').innerText()) === 'pond')
  await page.fill('.Streams-filter', 'no such thing')
  await page.waitForSelector('.Empty-title')
  await page.fill('.Streams-filter', '')
})

test('joining and leaving a stream is shown at once, and reverted with the reason if refused', async () => {
  let answer: () => void = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/users/me/subscriptions', async (request) => {
    await held
    await request.fulfill({
      status: 400,
      json: { result: 'error', code: 'BAD_REQUEST', msg: 'The pond is closed.' },
    })
  })
  await row(page, 'pond').getByRole('button', { name: 'Join pond' }).click()
  await row(page, 'pond').getByRole('button', { name: 'Leave pond' }).waitFor()
  await page.waitForSelector('.NavStream:has-text("pond")')
  answer()
  await page.waitForSelector('.RefusedAction-line:has-text("The pond is closed.")')
  await row(page, 'pond').getByRole('button', { name: 'Join pond' }).waitFor()
  await page.unroute('**/users/me/subscriptions')
  assert.equal(await isIn(iris, pond.stream_id), false)

  await row(page, 'pond').getByRole('button', { name: 'Join pond' }).click()
  await eventually(() => isIn(iris, pond.stream_id))
  assert.match(await row(page, 'pond').locator('.StreamRow-facts').innerText(), /2 members/)
  await row(page, 'pond').getByRole('button', { name: 'Leave pond' }).click()
  await page.waitForSelector('.Undo-line:has-text("You left pond")')
  assert.equal(await isIn(iris, pond.stream_id), false)
  await page.click('.Undo-line button:has-text("Undo")')
  await eventually(() => isIn(iris, pond.stream_id))
})

test('a new stream is created with its people, and opens with the composer focused', async () => {
  await page.click('.ViewFrame-actions a:has-text("New stream")')
  const name = page.getByLabel('Name', { exact: true })
  await name.fill('Garden')
  await page.click('.NewStream button[type=submit]')
  await page.waitForSelector('.Field-problem:has-text("There is a stream with this name already")')
  assert.equal(await name.getAttribute('aria-invalid'), 'true')
  await name.fill('vault')
  await page.click('.NewStream button[type=submit]')
  await page.waitForSelector('.Field-problem:has-text("Unable to access stream (vault)")')

  await name.fill('press')
  await page.getByLabel('Description').fill('What we **publish**')
  await page.getByRole('radio', { name: 'Private', exact: true }).check()
  await page.getByRole('radio', { name: 'Only administrators' }).check()
  await page.getByRole('combobox', { name: 'People to add' }).fill('ott')
  await page.click('.Typeahead-row:has-text("Otto Gardener")')
  await page.click('.NewStream button[type=submit]')
  await page.waitForURL(/#narrow\/stream\/\d+-press$/)
  await page.waitForSelector('.Composer-obstacle')

  const made = await findStream('press')
  assert.deepEqual(
    [made?.invite_only, made?.history_public_to_subscribers, made?.stream_post_policy, made?.description],
    [true, true, 2, 'What we **publish**'],
  )
  assert.ok(await isIn(otto, made?.stream_id ?? 0))
})

test('creating a stream and sending its first message works by keyboard', async () => {
  const { keyboard } = page
  await page.focus('.Nav-head [aria-haspopup=menu]')
  await keyboard.press('Enter')
  await eventually(() => focusedIn(page, '[role=menuitem]'))
  await keyboard.press('Enter')
  await page.waitForSelector('.NewStream')
  await eventually(() => focusedIn(page, '.NewStream input'))
  await keyboard.type('greenhouse')
  await keyboard.press('Tab')
  await keyboard.type('Warm')
  await keyboard.press('Tab')
  await keyboard.press('ArrowDown')
  await keyboard.press('ArrowUp')
  await keyboard.press('Tab')
  await keyboard.press('Tab')
  await keyboard.type('otto')
  await page.waitForSelector('.Typeahead-row')
  await keyboard.press('Enter')
  await page.waitForSelector('.PeopleField-chip:has-text("Otto Gardener")')
  await keyboard.press('Tab')
  await keyboard.press('Enter')
  await page.waitForURL(/-greenhouse$/)
  await eventually(() => focusedIn(page, '.Composer'))
  await keyboard.type('heating')
  await keyboard.press('Enter')
  await keyboard.type('It is warm.')
  await keyboard.press('Control+Enter')
  await page.waitForSelector('.Row[data-id]:has-text("It is warm.")')
  const made = await findStream('greenhouse')
  assert.deepEqual([made?.invite_only, made?.description], [false, 'Warm'])
  assert.ok(await isIn(otto, made?.stream_id ?? 0))
})

test('rows of the list can be entered and left by keyboard', async () => {
  await open(page, '#streams/all', 'Streams')
  await page.fill('.Streams-filter', 'pond')
  await eventually(async () => (await page.locator('.StreamRow').count()) === 1)
  const visited: string[] = []
  for (let step = 0; step < 4; step++) {
    await page.keyboard.press('Tab')
    visited.push((await page.evaluate('document.activeElement.className')) as string)
  }
  assert.deepEqual(visited, [
    'FixedList-row',
    'StreamRow-name',
    'IconButton StreamRow-details',
    'Button Button-plain',
  ])
  await page.keyboard.press('Enter')
  await eventually(async () => !(await isIn(iris, pond.stream_id)))
  await page.fill('.Streams-filter', '')
})

test('a public stream that the user has not joined shows a join button in place of the composer', async () => {
  await open(page, `#narrow/stream/${pond.stream_id}-pond`, 'pond')
  await page.click('.JoinStream button:has-text("Join pond")')
  await page.waitForSelector('.Composer')
  await eventually(() => isIn(iris, pond.stream_id))
  await page.click('.ViewFrame-actions [aria-haspopup=menu]')
  await page.click('[role=menuitem]:has-text("Leave")')
  await page.waitForSelector('.JoinStream')
  await eventually(async () => !(await isIn(iris, pond.stream_id)))
})

test('an administrator renames and describes a stream, and others see it without a reload', async () => {
  await open(page, details(pond, 'general'), 'pond')
  await open(ownerPage, details(pond, 'general'), 'pond')
  await ownerPage.click('button:has-text("Rename or describe")')
  await ownerPage.getByLabel('Name', { exact: true }).fill('garden')
  await ownerPage.click('button[type=submit]')
  await ownerPage.waitForSelector('.Field-problem')
  await ownerPage.getByLabel('Name', { exact: true }).fill('big pond')
  await ownerPage.getByLabel('Description').fill('Frogs, **newts** and lilies')
  await ownerPage.click('button[type=submit]')
  await ownerPage.waitForSelector('.StreamDetails .Body strong:has-text("newts")')
  await page.waitForSelector('.StreamDetails .Body strong:has-text("newts")')
  await page.waitForSelector('h1:has-text("big pond")')
  assert.equal((await findStream('big pond'))?.stream_id, pond.stream_id)
})

test('personal settings of a stream change at once, and notifications can be reset to the general settings', async () => {
  await open(page, details(garden, 'mine'), 'garden')
  const own = async () =>
    (await iris.subscriptions.list()).subscriptions.find(({ stream_id }) => stream_id === garden.stream_id)
  await page.getByRole('switch', { name: 'Pin to the top' }).check()
  await page.getByRole('radio', { name: 'Colour 10', exact: true }).check()
  const push = page.getByLabel('On the phone')
  await push.selectOption('On')
  await eventually(async () => {
    const settings = await own()
    return settings?.pin_to_top && settings.color === '#c2726a' && settings.push_notifications === true
  })
  await push.selectOption({ index: 0 })
  await eventually(async () => (await own())?.push_notifications === null)
  assert.match(await push.locator('option').first().innerText(), /As for all streams \(off\)/)

  await open(page, `#narrow/stream/${garden.stream_id}-garden`, 'garden')
  await page.click('.ViewFrame-actions [aria-haspopup=menu]')
  await page.click('[role=menuitem]:has-text("Mute")')
  await page.waitForSelector('.NavRow-muted:has-text("garden")')
  await eventually(async () => (await own())?.is_muted)
  await page.click('.ViewFrame-actions [aria-haspopup=menu]')
  await page.click('[role=menuitem]:has-text("Unmute")')
  await eventually(async () => !(await own())?.is_muted)
})

test('members are added and removed, and a removal can be undone', async () => {
  await open(ownerPage, details(garden, 'members'), 'garden')
  await row(ownerPage, 'Iris Gardener').waitFor()
  await row(ownerPage, 'Iris Gardener').getByRole('button').click()
  await ownerPage.waitForSelector('.Undo-line:has-text("Iris Gardener is no longer in garden.")')
  assert.equal(await isIn(iris, garden.stream_id), false)
  await ownerPage.click('.Undo-line button:has-text("Undo")')
  await row(ownerPage, 'Iris Gardener').waitFor()
  await eventually(() => isIn(iris, garden.stream_id))

  const lily = await world.person('lily')
  const field = ownerPage.getByRole('combobox', { name: 'Add people' })
  await field.click()
  await eventually(async () => {
    await field.fill('')
    await field.fill('lily')
    return (await ownerPage.locator('.Typeahead-row:has-text("Lily")').count()) === 1
  })
  await ownerPage.keyboard.press('Enter')
  await ownerPage.click('.MembersPage-add button[type=submit]')
  await row(ownerPage, 'Lily Gardener').waitFor()
  assert.ok(await isIn(lily, garden.stream_id))
  await lily.subscriptions.unsubscribe({ subscriptions: ['garden'] })
  await row(ownerPage, 'Lily Gardener').waitFor({ state: 'detached' })
})

test('the topics of a stream are listed, filtered and marked as read, and new ones are started', async () => {
  await open(page, `#narrow/stream/${garden.stream_id}-garden`, 'garden')
  await page.click('.NavStream-topics .NavRow:has-text("topics")')
  await page.waitForSelector('.StreamTopics')
  await page.waitForSelector('.NavStream-topics .NavRow:has-text("All 3 topics")')
  await eventually(async () => (await page.locator('.TopicRow-name').count()) === 3)
  assert.deepEqual(await page.locator('.TopicRow-name bdi').allInnerTexts(), ['tools', 'compost', 'roses'])
  await otto.messages.send({ type: 'stream', to: 'garden', topic: 'roses', content: 'A new bud' })
  await eventually(async () => (await page.locator('.TopicRow-name bdi').first().innerText()) === 'roses')
  await page.fill('.StreamTopics-filter', 'ros')
  await eventually(async () => (await page.locator('.TopicRow-name').count()) === 1)
  await row(page, 'roses').locator('.Count').waitFor()
  await row(page, 'roses').getByRole('button').click()
  await row(page, 'roses').locator('[role=menuitem]:has-text("Mark all as read")').click()
  await row(page, 'roses').locator('.Count').waitFor({ state: 'detached' })
  await page.click('button:has-text("New topic")')
  await eventually(() => focusedIn(page, '.Composer'))
})

test('members without the permission see disabled controls with a reason, and the server refuses', async () => {
  await open(page, details(garden, 'general'), 'garden')
  for (const text of ['Rename or describe', 'Archive the stream'])
    await page.waitForSelector(`button:disabled:has-text("${text}")`)
  await page.click('[aria-label="Why? Rename or describe"]')
  await page.waitForSelector('.Why-answer:has-text("Only administrators may do this.")')
  await page.keyboard.press('Escape')
  await open(page, details(garden, 'permissions'), 'garden')
  assert.equal(await page.locator('fieldset.Choices:disabled').count(), 2)
  await assert.rejects(iris.streams.update({ stream_id: garden.stream_id, description: 'Mine' }))
  await assert.rejects(iris.streams.archive({ stream_id: garden.stream_id }))

  await owner.organization.update({ create_stream_policy: 2, invite_to_stream_policy: 2 })
  const restricted = await site.openAs(iris, '#streams/new', wide)
  await restricted.waitForSelector('.NewStream-fields:disabled')
  await restricted.click('.NewStream .Why')
  await restricted.waitForSelector('.Why-answer:has-text("only administrators")')
  await open(restricted, details(garden, 'members'), 'garden')
  await restricted.waitForSelector('.PeopleField-input:disabled')
  await assert.rejects(iris.subscriptions.subscribe({ subscriptions: [{ name: 'not allowed' }] }))
  await restricted.context().close()
  await owner.organization.update({ create_stream_policy: 1, invite_to_stream_policy: 1 })
})

test('guests see only their streams, and the reasons why actions are not allowed', async () => {
  await open(guestPage, '#streams/all', 'Streams')
  await guestPage.waitForSelector('.Notice:has-text("Guests see only the streams")')
  assert.deepEqual(await guestPage.locator('.StreamRow-name bdi').allInnerTexts(), ['garden'])
  await guestPage.waitForSelector('button:disabled:has-text("New stream")')
  await guestPage.click('[aria-label="Why? New stream"]')
  await guestPage.waitForSelector('.Why-answer:has-text("Guests may not do this.")')
  await guestPage.keyboard.press('Escape')
  await guestPage.click('[aria-label="Leave garden"]')
  await guestPage.waitForSelector('.Dialog:has-text("You cannot come back by yourself")')
  await guestPage.keyboard.press('Escape')
  assert.ok(await isIn(gus, garden.stream_id))
  await assert.rejects(gus.subscriptions.subscribe({ subscriptions: [{ name: 'big pond' }] }))
})

test('a private stream that the user has not joined is shown like a missing stream, with an explanation', async () => {
  for (const hash of [
    `#narrow/stream/${vault.stream_id}-vault`,
    details(vault, 'general'),
    `#topics/stream/${vault.stream_id}-vault`,
  ]) {
    await page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
    await page.waitForSelector('.Empty-title:has-text("does not exist, or you may not see it")')
    await page.click('.Empty .Why')
    await page.waitForSelector('.Why-answer:has-text("cannot see such a stream")')
    await page.keyboard.press('Escape')
  }
  assert.ok(!(await page.content()).includes('>vault<'))
})

test('an administrator archives a stream after a confirmation', async () => {
  const shed = await world.stream('shed', { members: [owner, iris] })
  await open(ownerPage, details(shed, 'general'), 'shed')
  await ownerPage.click('button:has-text("Archive the stream")')
  await ownerPage.click('.Dialog-actions button:has-text("Cancel")')
  await ownerPage.waitForSelector('.Dialog', { state: 'detached' })
  await ownerPage.click('button:has-text("Archive the stream")')
  await ownerPage.click('.Dialog-actions button:has-text("Archive the stream")')
  await ownerPage.waitForSelector('.Streams')
  await page.waitForSelector('.NavStream:has-text("shed")', { state: 'detached' })
  assert.equal(await findStream('shed'), undefined)
})

test('hostile names and descriptions run no script and do not widen the page', async () => {
  const names = [
    '<img src=x onerror=hacked=1>',
    '\u202Eevil\u202D \u2066name',
    'W'.repeat(60),
    '👩‍👩‍👧‍👦🌹🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    '"><svg onload=hacked=1>',
    'javascript:hacked=1',
  ]
  const description = `<img src=x onerror=hacked=1> [x](javascript:hacked=1) \u202E${'W'.repeat(300)} 🌹`
  for (const name of names) await world.stream(name, { members: [owner, iris], description })
  const { subscriptions } = await owner.subscriptions.list()
  const phone = await site.openAs(owner, '#streams/all', { viewport: { width: 360, height: 640 } })
  const isWide = () => phone.evaluate('document.documentElement.scrollWidth > innerWidth')
  await phone.waitForSelector('.StreamRow')
  assert.equal(await isWide(), false)
  for (const { stream_id, name } of subscriptions.filter((stream) => names.includes(stream.name)))
    for (const tab of ['general', 'members', 'mine', 'permissions', 'topics', 'messages']) {
      const hash =
        tab === 'topics'
          ? `#topics/stream/${stream_id}`
          : tab === 'messages'
            ? `#narrow/stream/${stream_id}`
            : `#streams/${stream_id}/x/${tab}`
      await phone.evaluate(`location.hash = '${hash}'`)
      await eventually(async () => (await phone.innerText('h1')).includes(name.slice(0, 3)))
      assert.equal(await isWide(), false, `${name} ${tab}`)
    }
  assert.equal(await phone.evaluate('window.hacked'), undefined)
  assert.equal(await phone.locator('main img[src=x]').count(), 0)
  await phone.context().close()
})

test('thousands of streams are listed with few elements, and the last one can be reached', async () => {
  const count = bySize({ gate: 3_000, long: 10_000 })
  await world.database.query(
    `insert into stream (organization_id, name, folded_name, description, rendered_description, invite_only,
       history_public_to_subscribers, stream_post_policy)
     select $1, 'zone ' || n, 'zone ' || n, '', '', false, true, 1 from generate_series(1, $2::int) n`,
    [world.organization_id, count],
  )
  const large = await site.openAs(otto, '#streams/all', wide)
  await large.waitForSelector('.StreamRow')
  assert.ok((await large.locator('.StreamRow').count()) < 60)
  await large.focus('.FixedList-row[tabindex="0"]')
  await large.keyboard.press('End')
  await large.waitForSelector(`.StreamRow-name:has-text("zone ${count}")`)
  await large.fill('.Streams-filter', `zone ${count - 1}`)
  await eventually(async () => (await large.locator('.StreamRow').count()) === 1)
  await large.context().close()
  await world.database.query(`delete from stream where organization_id = $1 and name like 'zone %'`, [
    world.organization_id,
  ])
})

for (const name of ['light', 'dark'] as const)
  test(`pages about streams are accessible and fit the browser window: ${name}`, async () => {
    const screens: Record<string, string> = {
      all: '#streams/all',
      new: '#streams/new',
      general: details(garden, 'general'),
      members: details(garden, 'members'),
      mine: details(garden, 'mine'),
      permissions: details(garden, 'permissions'),
      topics: `#topics/stream/${garden.stream_id}-garden`,
      messages: `#narrow/stream/${garden.stream_id}-garden`,
    }
    // Members see disabled controls on these pages, and owners enabled ones.
    const readers = bySize({ gate: [name === 'light' ? page : ownerPage], long: [page, ownerPage] })
    for (const on of readers) {
      await applyLook(on, looks[name])
      for (const [index, [screen, hash]] of Object.entries(screens).entries())
        for (const { width, height } of windowsFor(name, index)) {
          await on.setViewportSize({ width, height })
          await open(on, hash, { all: 'Streams', new: 'New stream' }[screen] ?? 'garden')
          await takePicture(on, `streams-${screen}-${name}-${width}`)
          assert.deepEqual(await findAccessProblems(on), [], `${screen} ${width}`)
        }
    }
  })

test('no script, style or request violates the content security policy', () => {
  assert.deepEqual(site.problems, [])
})
