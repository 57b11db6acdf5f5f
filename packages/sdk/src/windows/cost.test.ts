import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event, FetchedMessage, NarrowTerm } from '@oxbow/contract'
import { stream, subscription } from '../../test/example-streams.ts'
import { applyEvent } from '../state/apply-event.ts'
import type { State } from '../state/state.ts'
import { createWindows } from './windows.ts'

const events = 400

/** Returns a state with subscriptions to all streams, and unread messages in the first thousand of them. */
function buildState(streams: number, unreadPerStream: number): State {
  const subscriptions = Array.from({ length: streams }, (_, index) =>
    subscription(stream(index + 1, `stream ${index + 1}`, { first_message_id: 1 })),
  )
  const unread = Array.from({ length: Math.min(streams, 1_000) }, (_, index) => ({
    stream_id: index + 1,
    topic: 'roses',
    unread_message_ids: Array.from({ length: unreadPerStream }, (_, more) => 1 + index + 1_000 * more),
    sender_ids: [5],
  }))
  return {
    ...{ user_id: 2, queue_id: 'q', last_event_id: 0, max_message_id: 60_000, streams: [] },
    ...{ subscriptions, unsubscribed: [], never_subscribed: [], muted_topics: [], starred_messages: [] },
    unread_msgs: {
      ...{ pms: [], huddles: [], mentions: [], wildcard_mentions: [], streams: unread },
      count: unread.length * unreadPerStream,
    },
  } as unknown as State
}

function newMessage(id: number, stream_id: number): FetchedMessage {
  return {
    ...{ id, type: 'stream', stream_id, topic: 'roses', subject: 'roses', display_recipient: 'x', flags: [] },
    ...{ sender_id: 5, sender_full_name: 'Iris', content: '<p>Pruned</p>', topic_links: [], timestamp: id },
    ...{ is_me_message: false, reactions: [], submessages: [] },
  } as unknown as FetchedMessage
}

/** Returns the CPU time of each event in milliseconds, ascending, with 60 windows. */
async function measure(state: State): Promise<number[]> {
  const windows = createWindows({
    state,
    fetch: async ({ narrow }) => ({
      messages: Array.from({ length: 300 }, (_, index) => newMessage(index + 1, streamOf(narrow))),
      anchor: 1e16,
      found_oldest: false,
      found_newest: true,
    }),
    match: async () => ({}),
  })
  for (let id = 1; id <= 58; id++)
    windows.open(
      [
        { operator: 'stream', operand: id },
        { operator: 'topic', operand: 'roses' },
      ],
      'newest',
    )
  for (const operand of ['starred', 'mentioned']) windows.open([{ operator: 'is', operand }], 'newest')
  while (!windows.isIdle) await new Promise((resolve) => setImmediate(resolve))
  const times: number[] = []
  let now = state
  for (let count = 0; count < events; count++) {
    const { flags, ...message } = newMessage(100_000 + count, 1 + (count % 1_000))
    const event = { id: count + 1, type: 'message', message, flags } as unknown as Event
    const before = process.cpuUsage()
    now = applyEvent(now, event)
    windows.apply(event, now)
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1_000)
  }
  windows.stop()
  return times.sort((a, b) => a - b)
}

const streamOf = (narrow: readonly NarrowTerm[]): number => Number(narrow[0]?.operand) || 1

test('applying a message event is fast even with ten thousand streams and fifty thousand unread messages', async (t) => {
  const small = await measure(buildState(10, 10))
  const large = await measure(buildState(10_000, 50))

  const show = (times: readonly number[]) =>
    [0.5, 0.95].map((share) => times[Math.floor(share * events)]?.toFixed(3)).join(' and ')
  t.diagnostic(
    `p50 and p95 in ms of processor time: ${show(small)} (10 streams), ${show(large)} (10,000 streams)`,
  )
  // The cost grows with the number of streams, because the reducer scans their list, but by far
  // less than a factor of 1,000.
  const [smallMedian, largeMedian] = [small, large].map((times) => times[events >> 1] ?? 0)
  assert.ok(
    (largeMedian ?? 0) < 100 * Math.max(smallMedian ?? 0, 0.02),
    `${smallMedian} and ${largeMedian} ms`,
  )
})
