import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Grouped, layOutRows } from './rows.ts'

const start = Date.UTC(2026, 10, 16, 12) / 1000
const inGarden = { sender_id: 1, stream_id: 7, topic: 'roses', user_ids: undefined, is_me_message: false }

function messages(...changes: Partial<Record<keyof Grouped, unknown>>[]): Grouped[] {
  return changes.map((change, index) => ({
    id: index + 1,
    timestamp: start + index * 60,
    ...inGarden,
    ...change,
  })) as unknown as Grouped[]
}

const options = {
  hasBars: true,
  firstNew: undefined,
  dayOf: (time: number) => new Date(time).toISOString().slice(0, 10),
}

/** Returns one letter for each part of a row: b(ar), d(ay), h(ead), n(ew). */
function show(list: Grouped[], more: object = {}): string {
  return layOutRows(list, { ...options, ...more })
    .map(({ hasBar, hasDay, hasHead, isFirstNew }) =>
      [hasBar && 'b', hasDay && 'd', hasHead && 'h', isFirstNew && 'n'].filter(Boolean).join(''),
    )
    .join(' ')
}

const cases: [string, string, Grouped[], object?][] = [
  ['one head for consecutive messages of a sender', 'bdh  ', messages({}, {}, {})],
  ['a head where the sender differs', 'bdh h ', messages({}, { sender_id: 2 }, { sender_id: 2 })],
  ['a head after ten minutes', 'bdh h', messages({}, { timestamp: start + 660 })],
  ['no head after nine minutes', 'bdh ', messages({}, { timestamp: start + 540 })],
  ['a head after a /me message', 'bdh  h', messages({}, { is_me_message: true }, {})],
  ['a day line and a head on another day', 'bdh dh', messages({}, { timestamp: start + 86_400 })],
  ['a bar where the topic differs', 'bdh bh', messages({}, { topic: 'weeds' })],
  ['no bar where only the case of the topic differs', 'bdh ', messages({}, { topic: 'Roses' })],
  ['a bar between streams with the same topic', 'bdh bh', messages({}, { stream_id: 8 })],
  [
    'a bar between private conversations',
    'bdh bh ',
    messages(
      { stream_id: undefined, topic: '', user_ids: [1, 2] },
      { stream_id: undefined, topic: '', user_ids: [1, 2, 3] },
      { stream_id: undefined, topic: '', user_ids: [1, 2, 3] },
    ),
  ],
  ['no bars in one conversation', 'dh ', messages({}, {}), { hasBars: false }],
  ['a line and a head above the first new message', 'bdh hn ', messages({}, {}, {}), { firstNew: 2 }],
]

for (const [title, expected, list, more] of cases)
  test(`a list of messages has ${title}`, () => {
    assert.equal(show(list, more), expected)
  })
