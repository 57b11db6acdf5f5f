import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StreamFolder, StreamFolderId, StreamId, StreamSection } from '@oxbow/contract'
import { type ArrangedStream, arrangeStreams, identifySection } from './arrange-streams.ts'

const folder = (id: number, name: string, is_archived = false): StreamFolder => ({
  id: id as StreamFolderId,
  name,
  description: '',
  rendered_description: '',
  order: id,
  is_archived,
  date_created: 0,
  creator_id: null,
})
const stream = (id: number, folder_id: number | null = null, pin_to_top = false): ArrangedStream => ({
  stream_id: id as StreamId,
  folder_id: folder_id as StreamFolderId | null,
  pin_to_top,
})
const ids = (...list: number[]) => list as StreamId[]
const folders = [folder(1, 'Beds'), folder(2, 'Heap', true), folder(3, 'Sheds')]
const streams = [stream(10), stream(11, 1), stream(12, 2), stream(13, 3, true), stream(14, 3), stream(15, 1)]
const show = (sections: StreamSection[], list = streams) =>
  arrangeStreams(list, { sections, folders }).map((section) => [
    identifySection(section),
    section.streams.map(({ stream_id }) => Number(stream_id)),
  ])

test('without an arrangement, pinned streams come first, then folders in their order, then the others', () => {
  assert.deepEqual(show([]), [
    ['pinned', [13]],
    ['shared 1', [11, 15]],
    ['shared 3', [14]],
    ['other', [10, 12]],
  ])
})

test('own folders, the order of sections and the order of streams apply', () => {
  const sections: StreamSection[] = [
    { kind: 'own', name: 'Mine', stream_ids: ids(15, 99, 10, 13) },
    { kind: 'pinned', stream_ids: ids(13) },
    { kind: 'other', stream_ids: ids(12) },
    { kind: 'shared', folder_id: 3 as StreamFolderId, stream_ids: [] },
    { kind: 'shared', folder_id: 2 as StreamFolderId, stream_ids: ids(14) },
  ]
  assert.deepEqual(show(sections), [
    ['own Mine', [15, 10]],
    ['pinned', [13]],
    ['shared 1', [11]],
    ['other', [12]],
    ['shared 3', [14]],
  ])
})

test('streams without a place in an order follow those with one, in the order in which they were given', () => {
  const sections: StreamSection[] = [{ kind: 'other', stream_ids: ids(22) }]
  const list = [stream(20), stream(21), stream(22), stream(23)]
  assert.deepEqual(show(sections, list).at(-1), ['other', [22, 20, 21, 23]])
})
