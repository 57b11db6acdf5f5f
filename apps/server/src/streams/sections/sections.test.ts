import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { maxArrangedStreams, type StreamFolderId, type StreamId, type StreamSection } from '@oxbow/contract'
import { type Person, startWorld } from '@oxbow/testkit'
import { collectEvents } from '@oxbow/testkit/calls/events'
import { refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto] = await world.people('iris', 'otto')
const folder = (await owner.streamFolders.create({ name: 'Beds' })).channel_folder_id

const ids = (...list: number[]) => list as StreamId[]
const own = (name: string, ...list: number[]): StreamSection => ({
  kind: 'own',
  name,
  stream_ids: ids(...list),
})
const set = (by: Person, ...stream_sections: StreamSection[]) => by.streamSections.set({ stream_sections })
const read = async (by: Person) =>
  (await by.on('b').events.register({ fetch_event_types: ['stream_sections'] })).stream_sections

test('an arrangement replaces the one before, and only its owner gets it', async () => {
  const first: StreamSection[] = [
    own('Mine', 3, 1, 2),
    { kind: 'other', stream_ids: ids(9) },
    { kind: 'shared', folder_id: folder, stream_ids: ids(7, 8) },
    { kind: 'pinned', stream_ids: [] },
  ]
  const events = await collectEvents(world, { iris, otto, owner }, () => set(iris, ...first))

  assert.deepEqual(
    events.iris?.map(({ id: _, ...event }) => event),
    [{ type: 'stream_sections', stream_sections: first }],
  )
  assert.deepEqual([events.otto ?? [], events.owner ?? []], [[], []])
  assert.deepEqual(await read(iris), first)
  assert.deepEqual(await read(otto), [])
  await set(iris, own('Other'))
  assert.deepEqual(await read(iris), [own('Other')])
  await set(iris)
  assert.deepEqual(await read(iris), [])
})

test('a section or a stream that is listed twice is refused, and nothing changes', async () => {
  await set(iris, own('Mine', 1))
  const twice = refusal('A section is listed twice')

  await assert.rejects(set(iris, own('Mine'), own('mINE')), twice)
  await assert.rejects(set(iris, { kind: 'other', stream_ids: [] }, { kind: 'other', stream_ids: [] }), twice)
  await assert.rejects(set(iris, own('Mine', 5), own('Yours', 5)), refusal('Stream 5 is listed twice'))
  await assert.rejects(set(iris, own('  ')), refusal('stream_sections[0]["name"] cannot be blank.'))
  const other = (...list: number[]): StreamSection => ({ kind: 'other', stream_ids: ids(...list) })
  await assert.rejects(set(iris, other(6, 7, 6)), refusal('Stream 6 is listed twice'))
  const unknown = (folder + 1_000_000) as StreamFolderId
  const shared: StreamSection = { kind: 'shared', folder_id: unknown, stream_ids: [] }
  await assert.rejects(set(iris, shared), refusal('Invalid channel folder ID'))

  assert.deepEqual(await read(iris), [own('Mine', 1)])
})

test('the streams of all sections together are limited', async () => {
  const half = maxArrangedStreams / 2
  const many = Array.from({ length: maxArrangedStreams + 1 }, (_, index) => index + 1)
  const tooMany = refusal(`Too many streams in the sections together (limit: ${maxArrangedStreams})`)
  await assert.rejects(set(iris, own('A', ...many.slice(0, half)), own('B', ...many.slice(half))), tooMany)
  // A pinned stream may be in an own folder too, where it is shown when it is no longer pinned.
  const pinned: StreamSection = { kind: 'pinned', stream_ids: ids(...many.slice(0, half)) }
  await set(iris, own('A', ...many.slice(0, half)), pinned)
})
