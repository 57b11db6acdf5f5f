import { streamGroups } from '../data/streams.ts'
import { findStreamId, streamRoute } from '../router/route.ts'
import { openRoute, route } from '../router/router.ts'

/**
 * Opens the next or previous stream in the order of the nav. If no stream is open, opens the first
 * or the last.
 */
export function goToStream(step: 1 | -1): void {
  const { pinned, active, inactive } = streamGroups.peek()
  const streams = [...pinned, ...active, ...inactive]
  const open = streams.findIndex(({ stream_id }) => stream_id === findStreamId(route.peek()))
  const index = open === -1 && step === -1 ? streams.length - 1 : open + step
  const next = streams[(index + streams.length) % streams.length]
  if (next) openRoute(streamRoute({ stream_id: next.stream_id, name: next.name }))
}
