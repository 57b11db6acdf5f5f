import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually, pngOf } from '@oxbow/testkit'
import { applyLook, findAccessProblems, goTo, looks, startClientSite, takePicture } from './open-client.ts'

const site = await startClientSite()
after(() => site[Symbol.asyncDispose]())
const { world } = site
const [iris, otto] = [await world.person('iris'), await world.person('otto')]
const garden = await world.stream('garden', { members: [iris, otto] })
await world.stream('kitchen', { members: [iris, otto] })
const send = (content: string, topic = 'roses', by = otto) =>
  by.messages.send({ type: 'stream', to: garden.name, topic, content })
const rowIds: number[] = []
for (let count = 0; count < 30; count++) rowIds.push((await send(`Row ${count} of many`)).id)
const [aboveId = 0, middleId = 0, belowId = 0] = rowIds.slice(19)
const long = Array.from({ length: 120 }, (_, line) => `Line ${line}`).join('\n\n')
const { id: longId } = await send(long)
const form = new FormData()
form.set('file', new Blob([new Uint8Array(pngOf(40, 30))], { type: 'image/png' }), 'rose.png')
const { id: editedId } = await send('Before', 'roses', iris)
await iris.messages.edit({ message_id: editedId, content: 'After' })
const { id: reactedId } = await send('React to this')
await otto.messages.addReaction({ message_id: reactedId, emoji_name: 'tada' })
const { id: ownId } = await send('Mine', 'roses', iris)

const page = await site.openAs(iris, '#inbox')
const roses = `#narrow/stream/${garden.stream_id}-garden/topic/roses`
const hash = () => page.evaluate<string>('location.hash')
const focused = (selector: string) =>
  page.evaluate<boolean>(`document.activeElement?.closest(${JSON.stringify(selector)}) != null`)
const toPress = (keys: string) =>
  keys
    .split(' ')
    .map((key) =>
      key === '+'
        ? '+'
        : key
            .replace('Mod', 'Control')
            .replace('Shift+.', 'Shift+Period')
            .replace('Shift+\\', 'Shift+Backslash'),
    )

async function press(keys: string): Promise<void> {
  for (const key of toPress(keys)) await page.keyboard.press(key)
}

/** Opens the topic and focuses a message. */
async function focusMessage(id: number = ownId): Promise<void> {
  await goTo(page, '#inbox')
  await goTo(page, `${roses}/near/${id}`)
  await page.locator(`.Row[data-id="${id}"] article`).focus()
}

const closeDialog = async (selector = '.Dialog') => {
  await page.waitForSelector(selector)
  await page.keyboard.press('Escape')
  await page.waitForSelector(selector, { state: 'detached' })
}

interface Check {
  /** Opens the view in which the keys work. */
  before?: () => Promise<unknown>
  /** Waits for the effect, and reverts it if later checks need that. */
  effect: (keys: string) => Promise<unknown>
}

const opens = (expected: RegExp): Check => ({
  before: () => goTo(page, expected.test('#inbox') ? '#people' : '#inbox'),
  effect: () => eventually(async () => expected.test(await hash())),
})

const readFocusedId = () =>
  page.evaluate<number>("Number(document.activeElement?.closest('[data-id]')?.dataset.id ?? 0)")

/** Checks that keys move the focus from a message in the middle to the expected one. */
const moves = (isRight: (id: number) => boolean): Check => ({
  before: () => focusMessage(middleId),
  effect: () => eventually(async () => isRight(await readFocusedId())),
})

const scrollsTo = (condition: string): Check => ({
  before: () => focusMessage(middleId),
  effect: () => eventually(() => page.evaluate<boolean>(condition)),
})
const scroller = "document.querySelector('.MessageList-scroller')"

const readUnread = async () =>
  (await iris.events.register({ fetch_event_types: ['message', 'update_message_flags'] })).unread_msgs
const unread = async () => (await readUnread())?.count ?? 0
const hasUnreadRoses = async () =>
  (await readUnread())?.streams.some(({ topic }) => topic === 'roses') ?? false

const hasReaction = (id: number, emoji: string, isOwn: boolean) =>
  page.waitForSelector(`.Row[data-id="${id}"] .Reactions-pill[aria-pressed=${isOwn}]:has-text("${emoji}")`)

/** The expected effect of every key, by the id of its entry in the table. */
const checks: Record<string, Check> = {
  jump: { effect: () => closeDialog('.Jump') },
  'next-region': { effect: () => eventually(() => focused('[data-region]')) },
  'previous-region': { effect: () => eventually(() => focused('[data-region]')) },
  leave: {
    before: async () => {
      await focusMessage()
      await page.focus('.Composer .WritingField-text')
    },
    effect: () => eventually(async () => !(await focused('textarea'))),
  },
  write: { effect: () => closeWriting() },
  'write-private': { effect: () => closeWriting() },
  'next-unread': {
    before: async () => {
      await send('Unread here', 'unread one')
      await goTo(page, '#inbox')
      await page.waitForSelector('.Inbox-row:has-text("unread one")')
    },
    effect: () => eventually(async () => /topic\/unread/.test(await hash())),
  },
  'previous-unread': { effect: () => eventually(async () => (await hash()) === '#inbox') },
  'next-private': {
    before: async () => {
      await otto.messages.send({ type: 'private', to: [iris.user_id], content: 'Tea?' })
      await goTo(page, '#inbox')
      await page.waitForSelector('.Inbox-row:has-text("Otto")')
    },
    effect: () => eventually(async () => /pm-with/.test(await hash())),
  },
  inbox: opens(/^#inbox$/),
  search: opens(/^#search$/),
  followed: opens(/^#narrow\/is\/followed$/),
  recent: opens(/^#recent$/),
  starred: opens(/^#narrow\/is\/starred$/),
  drafts: opens(/^#drafts$/),
  all: opens(/^#narrow\/in\/home$/),
  'all-private': opens(/^#narrow\/is\/private$/),
  people: opens(/^#people$/),
  'mark-read': {
    before: async () => {
      await focusMessage(middleId)
      await page.keyboard.press('U')
      // Other messages of the topic may be unread too, so the test waits for this one.
      await eventually(async () =>
        (await readUnread())?.streams.some(({ unread_message_ids }) =>
          unread_message_ids.includes(middleId as never),
        ),
      )
      await page.locator(`.Row[data-id="${middleId}"] article`).focus()
    },
    effect: () => eventually(async () => !(await hasUnreadRoses())),
  },
  'mark-all-read': {
    before: async () => {
      await goTo(page, '#inbox')
      await send('Unread there', 'another one')
      await page.waitForSelector('.Inbox-row:has-text("another one")')
    },
    effect: () => eventually(async () => (await unread()) === 0),
  },
  'next-stream': opens(/-garden$/),
  'previous-stream': opens(/-kitchen$/),
  'go-to-date': { before: () => focusMessage(), effect: () => closeDialog() },
  'to-composer': { before: () => focusMessage(), effect: () => eventually(() => focused('.Composer')) },
  'edit-last': { before: () => focusMessage(), effect: () => leaveEdit() },
  keys: { before: () => goTo(page, '#inbox'), effect: () => closeDialog() },
  side: {
    before: () => focusMessage(),
    effect: async () => {
      await page.waitForSelector('.App-side')
      await page.keyboard.press('Control+Shift+Backslash')
      await page.waitForSelector('.App-side', { state: 'detached' })
    },
  },
  'message-above': moves((id) => id === aboveId),
  'message-below': moves((id) => id === belowId),
  'page-up': moves((id) => id < aboveId),
  'page-down': moves((id) => id > belowId),
  oldest: scrollsTo(`${scroller}.scrollTop < 100`),
  newest: scrollsTo(`${scroller}.scrollHeight - ${scroller}.scrollTop - ${scroller}.clientHeight < 60`),
  reply: { effect: () => eventually(() => focused('.Composer')) },
  'reply-privately': {
    before: () => focusMessage(reactedId),
    effect: async () => {
      await eventually(async () => new RegExp(`pm-with/${otto.user_id}-`).test(await hash()))
      await eventually(() => focused('.Composer'))
    },
  },
  'reply-mentioning': {
    before: () => focusMessage(reactedId),
    effect: () => waitForText(/@\*\*Otto Gardener\*\*/),
  },
  quote: { before: () => focusMessage(reactedId), effect: () => waitForText(/React to this/) },
  edit: { effect: () => leaveEdit() },
  move: { effect: () => closeDialog() },
  'mute-topic': {
    effect: async () => {
      await page.waitForSelector('.UndoLines, .Undo')
      await eventually(async () => {
        const { muted_topics } = await iris.events.register({ fetch_event_types: ['muted_topics'] })
        return muted_topics?.some(([, topic]) => topic === 'roses') ?? false
      })
      await iris.subscriptions.muteTopic({ stream_id: garden.stream_id, topic: 'roses', op: 'remove' })
    },
  },
  'follow-topic': {
    effect: async () => {
      await eventually(async () => {
        const { user_topics } = await iris.events.register({ fetch_event_types: ['user_topic'] })
        return (
          user_topics?.some((entry) => entry.topic_name === 'roses' && entry.visibility_policy === 3) ?? false
        )
      })
      await iris.subscriptions.setAttention({
        stream_id: garden.stream_id,
        topic: 'roses',
        visibility_policy: 0,
      })
    },
  },
  history: { before: () => focusMessage(editedId), effect: () => closeDialog() },
  react: {
    effect: async () => {
      await page.waitForSelector('.EmojiPicker-choice')
      await page.keyboard.press('Escape')
      await page.waitForSelector('.EmojiPicker-choice', { state: 'hidden' })
    },
  },
  'thumbs-up': { effect: () => hasReaction(ownId, '👍', true) },
  'same-reaction': {
    before: () => focusMessage(reactedId),
    effect: () => hasReaction(reactedId, '🎉', true),
  },
  star: {
    effect: () =>
      eventually(async () => {
        const { starred_messages } = await iris.events.register({ fetch_event_types: ['starred_messages'] })
        return starred_messages?.includes(ownId) ?? false
      }),
  },
  'mark-unread': {
    before: () => focusMessage(reactedId),
    effect: () => eventually(async () => (await unread()) > 0),
  },
  'copy-link': {
    effect: () =>
      eventually(async () => /near\//.test(await page.evaluate<string>('navigator.clipboard.readText()'))),
  },
  actions: {
    effect: async () => {
      await page.waitForSelector('.Toolbar ~ .Menu:popover-open, .Toolbar .Menu:popover-open')
      await page.keyboard.press('Escape')
    },
  },
  sender: {
    before: () => focusMessage(reactedId),
    effect: async () => {
      await page.waitForSelector('.PersonCard')
      await page.keyboard.press('Escape')
    },
  },
  pictures: {
    before: async () => {
      const response = await fetch(`${world.nodes.a.url}/api/v1/user_uploads`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${otto.email}:${otto.api_key}`)}` },
        body: form,
      })
      const { uri } = (await response.json()) as { uri: string }
      const { id } = await send(`[rose.png](${uri})`, 'pictures')
      await goTo(page, `#narrow/stream/${garden.stream_id}-garden/topic/pictures`)
      await page.waitForSelector('.message_inline_image a')
      await page.locator(`.Row[data-id="${id}"] article`).focus()
    },
    effect: () => closeDialog('.Lightbox'),
  },
  fold: {
    before: () => focusMessage(longId),
    effect: () => page.waitForSelector(`.Row[data-id="${longId}"] .FoldedBody-button[aria-expanded=true]`),
  },
  'to-topic': {
    before: async () => {
      await goTo(page, `#narrow/stream/${garden.stream_id}-garden`)
      await page.locator(`.Row[data-id="${ownId}"] article`).focus()
    },
    effect: () => eventually(async () => /topic\/roses\/near/.test(await hash())),
  },
  'to-stream': { effect: () => eventually(async () => /-garden$/.test(await hash())) },
}

/** Closes the dialog by its button, because the first Esc may only close suggestions. */
async function closeWriting(): Promise<void> {
  await page.waitForSelector('.WriteDialog')
  await page.click('.Dialog-head .IconButton')
  await page.waitForSelector('.WriteDialog', { state: 'detached' })
}

async function leaveEdit(): Promise<void> {
  await page.waitForSelector('.EditRow')
  await eventually(() => focused('.EditRow'))
  await page.keyboard.press('Escape')
  await page.waitForSelector('.EditRow', { state: 'detached' })
}

async function waitForText(text: RegExp): Promise<void> {
  const field = page.locator('.Composer .WritingField-text')
  await eventually(async () => text.test(await field.inputValue()))
  await field.fill('')
}

const forMessage = new Set<string>()

interface Entry {
  id: string
  keys: string[]
  group: string
}

await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.url })
await page.waitForSelector('.Inbox')
await page.keyboard.press('?')
await page.waitForSelector('.KeysDialog')
const entries = (await page.evaluate(`[...document.querySelectorAll('.KeysDialog-row')].map((row) => ({
  id: row.dataset.command,
  keys: JSON.parse(row.dataset.keys),
  group: row.closest('section').querySelector('h3').textContent,
}))`)) as Entry[]
for (const { id, group } of entries) if (/^For the message/.test(group)) forMessage.add(id)

test('the help lists every key with its name, and is accessible', async () => {
  assert.ok(entries.length > 40, String(entries.length))
  for (const [look, width] of [
    ['light', 1280],
    ['dark', 360],
  ] as const) {
    await applyLook(page, looks[look])
    await page.setViewportSize({ width, height: 720 })
    await takePicture(page, `keys-${look}-${width}`)
    assert.deepEqual(await findAccessProblems(page, '.Dialog'), [])
  }
  await page.setViewportSize({ width: 1280, height: 720 })
  await closeDialog()
})

test('every key of the table has a check, and every check has a key', () => {
  // The view of recent conversations may not exist.
  const listed = entries.map(({ id }) => id)
  const checked = Object.keys(checks).filter((id) => id !== 'recent' || listed.includes(id))
  assert.deepEqual(listed.sort(), checked.sort())
})

for (const { id, keys } of entries)
  test(`the keys ${keys.join(', ')} have the effect that the table lists: ${id}`, async () => {
    const check = checks[id]
    assert.ok(check, `${id} has no check`)
    for (const each of keys) {
      if (check.before) await check.before()
      else if (forMessage.has(id)) await focusMessage()
      else if (id !== 'previous-unread') await goTo(page, '#inbox')
      await press(each)
      await check.effect(each)
    }
  })

test('single letters and signs do nothing once the user disables them', async () => {
  await goTo(page, '#settings/display')
  await page.getByRole('switch', { name: 'Letters and signs as shortcuts' }).click()
  await goTo(page, '#inbox')
  await page.keyboard.press('c')
  await page.keyboard.press('Control+k')
  await page.waitForSelector('.Jump')
  assert.equal(await page.locator('.WriteDialog').count(), 0)
  await closeDialog('.Jump')
})

test('no key violates the content security policy', () => {
  assert.deepEqual(site.problems, [])
})
