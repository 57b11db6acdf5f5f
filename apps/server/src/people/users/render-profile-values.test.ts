import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startWorld, type World } from '@oxbow/testkit'

let world: World
before(async () => {
  world = await startWorld()
})
after(() => world[Symbol.asyncDispose]())

const define = async (name: string, field_type: number) =>
  (await world.owner.profileFields.create({ name, field_type })).id

test('text values of a profile are rendered as Markdown, and other values are not', async () => {
  const [motto, story, page] = [await define('Motto', 1), await define('Story', 2), await define('Page', 5)]
  const iris = await world.person('iris')

  await iris.users.setProfileData({
    data: [
      { id: motto, value: 'be **bold**' },
      { id: story, value: '* <script>\n* $$x$$' },
      { id: page, value: 'https://example.com/iris' },
    ],
  })

  await world.settled()
  const { profile_data = {} } = await iris.on('b').users.me()
  assert.deepEqual(profile_data[motto], {
    value: 'be **bold**',
    rendered_value: '<p>be <strong>bold</strong></p>',
  })
  const { rendered_value = '' } = profile_data[story] ?? {}
  assert.match(rendered_value, /^<ul>\n<li>&lt;script&gt;<\/li>\n<li><span class="katex">/)
  assert.deepEqual(profile_data[page], { value: 'https://example.com/iris' })
})

test('a profile value is rendered again when the user or an administrator changes it', async () => {
  const field = await define('Mood', 1)
  const otto = await world.person('otto')
  await otto.users.setProfileData({ data: [{ id: field, value: '*calm*' }] })

  await world.owner.users.update({ user_id: otto.user_id, profile_data: [{ id: field, value: '~~calm~~' }] })

  const { profile_data = {} } = await otto.users.me()
  assert.equal(profile_data[field]?.rendered_value, '<p><del>calm</del></p>')
})

test('a value too long to store is refused before it is rendered', async () => {
  const field = await define('Short', 1)
  const fern = await world.person('fern')
  await assert.rejects(fern.users.setProfileData({ data: [{ id: field, value: '$$x$$'.repeat(50_000) }] }), {
    message: 'Short is too long (limit: 50 characters)',
  })
})

test('the description of an organization is rendered, with a default if empty', async () => {
  const describe = (text: string) => world.database.query('update organization set description = $1', [text])
  const shown = async () => (await world.anonymous('b').server.settings()).realm_description

  assert.equal(await shown(), '<p>This organization has not described itself yet.</p>')
  await describe('We grow **roses**.\n\n<script>alert(1)</script>')
  assert.equal(
    await shown(),
    '<p>We grow <strong>roses</strong>.</p>\n<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>',
  )
  await describe('')
  assert.equal(await shown(), '<p>This organization has not described itself yet.</p>')
})
