import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StreamFolder, StreamFolderId, StreamId, StreamSection } from '@oxbow/contract'
import { arrangeStreams, identifySection } from '@oxbow/sdk/arrangement'
import {
  type Arrangement,
  withFolder,
  withFolderRenamed,
  withoutFolder,
  withSectionMoved,
  withStreamInFolder,
  withStreamMoved,
} from './arrangement.ts'

const folder = { id: 1 as StreamFolderId, name: 'Beds', is_archived: false } as StreamFolder
const streams = [
  { stream_id: 10, pin_to_top: true, folder_id: null },
  { stream_id: 11, pin_to_top: false, folder_id: 1 },
  { stream_id: 12, pin_to_top: false, folder_id: null },
  { stream_id: 13, pin_to_top: false, folder_id: null },
  { stream_id: 14, pin_to_top: false, folder_id: null },
].map((stream) => ({
  ...stream,
  stream_id: stream.stream_id as StreamId,
  folder_id: stream.folder_id as StreamFolderId | null,
}))
const id = (value: number) => value as StreamId
const arrange = (stored: readonly StreamSection[] = []): Arrangement => ({
  stored,
  shown: arrangeStreams(streams, { sections: stored, folders: [folder] }),
})
/** Returns what is shown after a change is stored. */
const show = (stored: readonly StreamSection[] | undefined) =>
  stored &&
  arrange(stored).shown.map((section) =>
    [identifySection(section), ...section.streams.map(({ stream_id }) => stream_id)].join(' '),
  )

test('a stream goes into a new folder, within it, and out of it again', () => {
  const first = withStreamInFolder(arrange(), id(13), 'Mine')
  assert.deepEqual(show(first), ['pinned 10', 'own Mine 13', 'shared 1 11', 'other 12 14'])
  const second = withStreamInFolder(arrange(first), id(11), 'Mine')
  assert.deepEqual(show(second), ['pinned 10', 'own Mine 13 11', 'shared 1', 'other 12 14'])
  const third = withStreamMoved(arrange(second), id(11), -1)
  assert.deepEqual(show(third), ['pinned 10', 'own Mine 11 13', 'shared 1', 'other 12 14'])
  const fourth = withStreamInFolder(arrange(third), id(11), undefined)
  assert.deepEqual(show(fourth), ['pinned 10', 'own Mine 13', 'shared 1 11', 'other 12 14'])
})

test('streams move only inside their section', () => {
  assert.equal(withStreamMoved(arrange(), id(12), -1), undefined)
  assert.equal(withStreamMoved(arrange(), id(14), 1), undefined)
  assert.equal(withStreamMoved(arrange(), id(99), 1), undefined)
  assert.deepEqual(show(withStreamMoved(arrange(), id(12), 1))?.at(-1), 'other 13 12 14')
})

test('sections move past visible neighbours', () => {
  const stored = withStreamInFolder(arrange(), id(11), 'Mine')
  // The folder of the organization is empty now, and not shown.
  assert.deepEqual(show(withSectionMoved(arrange(stored), 'own Mine', 1)), [
    'pinned 10',
    'other 12 13 14',
    'shared 1',
    'own Mine 11',
  ])
  assert.equal(withSectionMoved(arrange(stored), 'pinned', -1), undefined)
})

test('a folder that is renamed keeps its streams, and the streams of a deleted one go back', () => {
  const stored = withStreamInFolder(arrange(withFolder(arrange(), 'Empty')), id(10), 'Mine')
  const renamed = withFolderRenamed(arrange(stored), 'Mine', 'Ours')
  // A pinned stream is in the folder, and is shown there when it is no longer pinned.
  assert.deepEqual(
    renamed.find((section) => section.kind === 'own' && section.name === 'Ours')?.stream_ids,
    [10],
  )
  assert.deepEqual(show(withoutFolder(arrange(renamed), 'Ours')), [
    'pinned 10',
    'own Empty',
    'shared 1 11',
    'other 12 13 14',
  ])
})
