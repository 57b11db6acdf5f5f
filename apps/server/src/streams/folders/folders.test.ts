import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { maxStreamFolders, type StreamFolderId } from '@oxbow/contract'
import { type Person, startWorld } from '@oxbow/testkit'
import { refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris] = await world.people('iris')
const ada = await world.person('ada', 'administrator')
const gus = await world.person('gus', 'guest')
const garden = await world.stream('garden', { members: [iris] })

const create = async (name: string, description?: string): Promise<StreamFolderId> => {
  const made = await ada.streamFolders.create({ name, ...(description !== undefined && { description }) })
  return made.channel_folder_id
}
const list = async (by: Person, include_archived = false) =>
  (await by.on('b').streamFolders.list({ include_archived })).channel_folders
const namesFor = async (by: Person, include_archived = false) =>
  (await list(by, include_archived)).map(({ name }) => name)
const invalid = refusal('Invalid channel folder ID')
const folderOf = async () => (await iris.streams.get(garden)).stream.folder_id
const clear = async () => {
  await world.database.query('update stream set folder_id = null')
  await world.database.query('delete from stream_folder')
}

test('folders are listed in their order for everyone, with their descriptions as HTML', async () => {
  const first = await create(' Beds ', 'With *flowers*')
  const second = await create('Sheds')

  const [beds, sheds] = await list(gus)

  assert.ok(beds && sheds)
  assert.ok(Math.abs(beds.date_created - Date.now() / 1000) < 60)
  assert.deepEqual(
    [beds, sheds].map(({ date_created: _, ...fields }) => fields),
    [
      {
        id: first,
        name: 'Beds',
        description: 'With *flowers*',
        rendered_description: '<p>With <em>flowers</em></p>',
        order: 0,
        is_archived: false,
        creator_id: ada.user_id,
      },
      {
        id: second,
        name: 'Sheds',
        description: '',
        rendered_description: '',
        order: 1,
        is_archived: false,
        creator_id: ada.user_id,
      },
    ],
  )
  await ada.streamFolders.reorder({ order: [second, first] })
  await create('Tools')
  assert.deepEqual(await namesFor(iris), ['Sheds', 'Beds', 'Tools'])
  await clear()
})

test('an order must name every folder once, archived ones included', async () => {
  const [first, second] = [await create('Beds'), await create('Sheds')]
  await ada.streamFolders.update({ channel_folder_id: second, is_archived: true })
  const wrong = refusal('Invalid order mapping.')

  for (const order of [[], [first], [first, first], [first, second, second], [second, first + 1_000_000]])
    await assert.rejects(ada.streamFolders.reorder({ order: order as StreamFolderId[] }), wrong)
  await ada.streamFolders.reorder({ order: [second, first] })

  assert.deepEqual(await namesFor(iris, true), ['Sheds', 'Beds'])
  await clear()
})

test('names are trimmed, not empty, and differ in more than case unless a folder is archived', async () => {
  const first = await create('Beds')
  const taken = refusal('Channel folder name already in use')
  await assert.rejects(create('  '), refusal("Channel folder name can't be empty."))
  await assert.rejects(create('bEDS '), taken)
  const second = await create('Sheds')
  const rename = (name: string) => ada.streamFolders.update({ channel_folder_id: second, name })
  await assert.rejects(rename('beds'), taken)
  await assert.rejects(rename(' '), refusal("Channel folder name can't be empty."))

  await ada.streamFolders.update({ channel_folder_id: first, is_archived: true })
  await rename('beds')

  const restore = ada.streamFolders.update({ channel_folder_id: first, is_archived: false })
  await assert.rejects(restore, taken)
  assert.deepEqual(await namesFor(iris), ['beds'])
  await clear()
})

test('administrators move streams into folders and out of them', async () => {
  const [first, second] = [await create('Beds'), await create('Sheds')]
  const move = (folder_id: StreamFolderId | null) =>
    ada.streams.update({ stream_id: garden.stream_id, folder_id })
  assert.equal(await folderOf(), null)

  await move(first)
  assert.equal(await folderOf(), first)
  const archive = (channel_folder_id: StreamFolderId) =>
    ada.streamFolders.update({ channel_folder_id, name: 'Full', is_archived: true })
  const inUse = refusal('You need to remove all the channels from this folder to archive it.')
  await assert.rejects(archive(first), inUse)
  await move(second)
  await archive(first)

  await assert.rejects(move(first), invalid)
  await assert.rejects(move((second + 1_000_000) as StreamFolderId), invalid)
  assert.equal(await folderOf(), second)
  await move(null)
  assert.equal(await folderOf(), null)
  assert.deepEqual(await namesFor(iris, true), ['Full', 'Sheds'])
  await clear()
})

test('a folder whose streams are all archived can be archived', async () => {
  const folder = await create('Heap')
  const { stream_id } = await world.stream('weeds')
  await owner.streams.update({ stream_id, folder_id: folder })
  await owner.streams.archive({ stream_id })

  await ada.streamFolders.update({ channel_folder_id: folder, is_archived: true })

  assert.deepEqual(await namesFor(iris), [])
  await clear()
})

test('a stream and its folder that are changed at once do not end as a stream in an archived folder', async () => {
  const folder = await create('Race')
  await Promise.allSettled([
    owner.streams.update({ stream_id: garden.stream_id, folder_id: folder }),
    ada.on('b').streamFolders.update({ channel_folder_id: folder, is_archived: true }),
  ])

  const [found] = await list(iris, true)
  assert.notEqual((await folderOf()) === folder, found?.is_archived)
  await clear()
})

test('an organization has a limited number of folders', async () => {
  await world.database.query(
    `insert into stream_folder (organization_id, name, folded_name, description, rendered_description, position)
     select $1, n, n, '', '', n from generate_series(1, $2::int) n`,
    [world.organization_id, maxStreamFolders],
  )
  const message = `Too many folders of streams in this organization, archived ones included (limit: ${maxStreamFolders})`
  await assert.rejects(create('One more'), refusal(message))
  await clear()
})
