import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Role } from '@oxbow/contract'
import { after } from '../../test/after.ts'
import { garden, group, roses, stateOf } from '../../test/example-streams.ts'
import type { State } from './state.ts'

const member = stateOf(Role.member)
const default_streams = [garden, roses]
const default_stream_groups = [group(2, 'flowers', [roses]), group(1, 'outside', [garden])]
const muted_topics = [['roses', 'thorns', 200]]
const events = [
  { type: 'default_streams', default_streams },
  { type: 'default_stream_groups', default_stream_groups },
  { type: 'muted_topics', muted_topics },
] as const

test('events replace default streams, their groups and muted topics', () => {
  const states = events.map((event) => after(member, event))

  assert.deepEqual(states, [
    { ...member, realm_default_streams: default_streams },
    { ...member, realm_default_stream_groups: default_stream_groups },
    { ...member, muted_topics },
  ])
})

test('events add no default streams, groups or muted topics that were not fetched', () => {
  const start = { user_id: member.user_id } as State

  for (const event of events) assert.equal(after(start, event), start)
})
