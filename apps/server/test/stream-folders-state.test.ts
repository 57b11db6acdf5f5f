import { after, test } from 'node:test'
import type { StreamFolderId, StreamId } from '@oxbow/contract'
import { expectSameState, startWorld } from '@oxbow/testkit'

// Each test makes changes and asserts that states updated by events equal fresh states.

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto] = await world.people('iris', 'otto')
const ada = await world.person('ada', 'administrator')
const gus = await world.person('gus', 'guest')
const robin = await world.bot('robin', iris)
const everyone = { owner, ada, iris, otto, gus, robin }
const checkState = (change: () => Promise<unknown>) =>
  expectSameState(world, everyone, change, { mayDefer: true })
const garden = await world.stream('garden', { members: [iris, gus, robin] })
const den = await world.stream('den', { members: [iris], invite_only: true })

test('folders are created, changed, ordered, archived and restored', async () => {
  let [first, second] = [0, 0] as StreamFolderId[] as [StreamFolderId, StreamFolderId]
  await checkState(async () => {
    first = (await ada.streamFolders.create({ name: 'Beds', description: '*All*' })).channel_folder_id
    second = (await owner.on('b').streamFolders.create({ name: 'Sheds' })).channel_folder_id
  })
  await checkState(() => ada.streamFolders.reorder({ order: [second, first] }))
  await checkState(() =>
    ada.streamFolders.update({ channel_folder_id: first, name: 'beds', description: '' }),
  )
  await checkState(async () => {
    await ada.streams.update({ stream_id: garden.stream_id, folder_id: first })
    await owner.streams.update({ stream_id: den.stream_id, folder_id: second, new_name: 'cave' })
  })
  await checkState(() =>
    ada.streams.update({ stream_id: garden.stream_id, folder_id: null, is_private: true }),
  )
  await checkState(() => ada.streamFolders.update({ channel_folder_id: first, is_archived: true }))
  await checkState(async () => {
    await ada.streamFolders.update({ channel_folder_id: first, is_archived: false, name: 'Beds' })
    await owner.streams.archive({ stream_id: den.stream_id })
  })
})

test('a person arranges streams, also some that are gone', async () => {
  const { channel_folder_id } = await ada.streamFolders.create({ name: 'Tools' })
  for (const person of [iris, gus])
    await checkState(() =>
      person.streamSections.set({
        stream_sections: [
          { kind: 'own', name: 'Mine', stream_ids: [den.stream_id, 7_000_000 as StreamId] },
          { kind: 'shared', folder_id: channel_folder_id, stream_ids: [garden.stream_id] },
        ],
      }),
    )
  await checkState(() => iris.streamSections.set({ stream_sections: [] }))
})
