import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startWorld } from '@oxbow/testkit'
import { sendToStream } from '@oxbow/testkit/calls/messages'
import { setOrganizationRules } from '@oxbow/testkit/calls/organization'
import { refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto] = await world.people('iris', 'otto')
const garden = await world.stream('garden', { members: [iris, otto] })
const shed = await world.stream('shed', { members: [iris] })

test('the history of an unedited message has one version', async () => {
  const message_id = await sendToStream(iris, garden, 'roses', '*Pruned.*')

  const { message_history } = await otto.messages.history({ message_id })

  const [{ timestamp, ...original } = { timestamp: 0 }, ...others] = message_history
  assert.ok(Math.abs(timestamp - Date.now() / 1_000) < 60)
  assert.deepEqual(original, {
    topic: 'roses',
    content: '*Pruned.*',
    rendered_content: '<p><em>Pruned.</em></p>',
    user_id: iris.user_id,
  })
  assert.deepEqual(others, [])
})

test('each edit is listed as a version with its previous values and a diff', async () => {
  const message_id = await sendToStream(iris, garden, 'roses', 'content before edit')

  await iris.messages.edit({ message_id, content: 'content after edit' })
  await otto.messages.edit({ message_id, topic: 'tulips' })
  await iris.messages.edit({ message_id, content: 'Howdy!', topic: 'oaks' })
  await owner.messages.edit({ message_id, stream_id: shed.stream_id })

  const { message_history } = await otto.messages.history({ message_id })
  const times = message_history.map(({ timestamp }) => timestamp)
  assert.deepEqual(times, times.toSorted())
  const versions = message_history.map(({ timestamp, ...version }) => version)
  const { user_id } = iris
  const first = { content: 'content before edit', rendered_content: '<p>content before edit</p>' }
  const second = { content: 'content after edit', rendered_content: '<p>content after edit</p>' }
  const third = { content: 'Howdy!', rendered_content: '<p>Howdy!</p>' }
  const inserted = (text: string) => `<span class="highlight_text_inserted">${text}</span>`
  const deleted = (text: string) => `<span class="highlight_text_deleted">${text}</span>`
  assert.deepEqual(versions, [
    { topic: 'roses', ...first, user_id },
    {
      topic: 'roses',
      ...second,
      user_id,
      prev_content: first.content,
      prev_rendered_content: first.rendered_content,
      content_html_diff: `<p>content ${inserted('after')} ${deleted('before')} edit</p>`,
    },
    { topic: 'tulips', ...second, user_id: otto.user_id, prev_topic: 'roses' },
    {
      topic: 'oaks',
      ...third,
      user_id,
      prev_topic: 'tulips',
      prev_content: second.content,
      prev_rendered_content: second.rendered_content,
      content_html_diff: `<div><p>${inserted('Howdy!')}</p> <p>${deleted('content after edit')}</p></div>`,
    },
    { topic: 'oaks', ...third, user_id: owner.user_id, prev_stream: garden.stream_id },
  ])
})

test('a topic change propagated from another message is not in the history', async () => {
  const named = await sendToStream(iris, garden, 'daisies')
  const swept = await sendToStream(iris, garden, 'daisies')

  await iris.messages.edit({ message_id: named, topic: 'lilies', propagate_mode: 'change_all' })

  const { message_history } = await iris.messages.history({ message_id: swept })
  assert.deepEqual(
    message_history.map(({ topic }) => topic),
    ['lilies'],
  )
})

test('long texts, compared in a worker thread, get the same form of diff as short texts', async () => {
  const words = (step: number) =>
    Array.from({ length: 1_500 }, (_, index) => `w${(index * step) % 1_009}`).join(' ')
  const message_id = await sendToStream(iris, garden, 'roses', words(7))

  await iris.messages.edit({ message_id, content: `${words(7)} more` })
  await iris.messages.edit({ message_id, content: words(11) })

  const { message_history } = await iris.messages.history({ message_id })
  const [, appended, rewritten] = message_history
  assert.match(appended?.content_html_diff ?? '', /<span class="highlight_text_inserted">more<\/span>/)
  assert.match(rewritten?.content_html_diff ?? '', /highlight_text_deleted/)
})

test('message history is refused if the organization disables it', async () => {
  const message_id = await sendToStream(iris, garden, 'roses')
  await setOrganizationRules(world, 'allow_edit_history = false')

  const off = refusal('Message edit history is disabled in this organization')
  await assert.rejects(iris.messages.history({ message_id }), off)
  await assert.rejects(owner.messages.history({ message_id: 99_999_999 as typeof message_id }), off)

  await setOrganizationRules(world, 'allow_edit_history = true')
})

test('only the newest versions are compared if all are too long together', async () => {
  const message_id = await sendToStream(iris, garden, 'roses', 'Pruned.')
  // The versions alternate between two letters, so each of them differs from the previous one.
  await world.database.query(
    `insert into message_edit (organization_id, message_id, user_id, edited_at, prev_content, prev_rendered_content)
     select organization_id, id, sender_id, now(), 'x', '<p>' || repeat(chr(97 + n % 2), 50000) || '</p>'
     from message, generate_series(1, 15) n where id = $1`,
    [message_id],
  )

  const { message_history } = await otto.messages.history({ message_id })

  assert.equal(message_history.length, 16)
  const isMarked = message_history.map(({ content_html_diff }) => content_html_diff?.includes('_inserted'))
  assert.deepEqual(isMarked, [undefined, ...Array(9).fill(false), ...Array(6).fill(true)])
  for (const { content_html_diff, rendered_content } of message_history.slice(1, 10))
    assert.equal(content_html_diff, rendered_content)
})
