import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findReplayObstacle } from './replay-obstacle.ts'

const kept = {
  may_be_replayed: false,
  query: 'stream=garden',
  headers: { 'content-type': 'application/json' },
  body: '{}',
  body_bytes: 2,
}

test('the reason why a delivery cannot be replayed follows from the parts that the server shows', () => {
  assert.equal(findReplayObstacle({ ...kept, may_be_replayed: true }), undefined)
  assert.equal(findReplayObstacle(kept), 'unsigned')
  assert.equal(findReplayObstacle({ ...kept, body: '', body_bytes: 0 }), 'unsigned')
  assert.equal(findReplayObstacle({ ...kept, body: '', body_bytes: 300_000 }), 'incomplete')
  assert.equal(findReplayObstacle({ ...kept, query: '', headers: {}, body: '' }), 'former owner')
})
