import type { Stream } from '@oxbow/contract'
import type { EventShape } from '../events/event-shape.ts'
import { listMembersAt } from './members/queries.ts'
import { withMembers } from './members/views.ts'

/** Adds the subscribers of newly visible streams, for queues with `include_subscribers`. */
export const streamEventShape: EventShape = {
  type: 'stream',
  variant: ({ include_subscribers }) => (include_subscribers ? 'with members' : ''),
  load(db, organization_id, { event, outboxId }) {
    // Avoids parsing most events, which are of other kinds.
    if (!event?.includes('"isAppearing":true')) return undefined
    const { streams, isAppearing } = JSON.parse(event) as AppearingStreams
    if (!isAppearing) return undefined
    return listMembersAt(
      db,
      organization_id,
      streams.map(({ stream_id }) => stream_id),
      outboxId,
    )
  },
  render(event, variant, loaded) {
    const { isAppearing: _, ...plain } = event
    if (!loaded || variant === '') return [plain]
    const { streams } = event as unknown as AppearingStreams
    const texts = streams.map((stream) => withMembers(stream, loaded.get(stream.stream_id)))
    return [`{"type":"stream","op":"create","streams":[${texts.join()}]}`]
  },
}

interface AppearingStreams {
  streams: Stream[]
  isAppearing?: true
}
