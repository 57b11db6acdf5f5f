import type { Stream } from '@oxbow/contract'
import type { EventShape } from '../events/event-shape.ts'
import { listMembersAt } from './members/queries.ts'
import { withMembers } from './members/views.ts'
import { withLaterFields } from './views.ts'

/** Adds the subscribers of newly visible streams, for queues with `include_subscribers`. */
export const streamEventShape: EventShape<StreamEvent> = {
  type: 'stream',
  variant: ({ include_subscribers }) => (include_subscribers ? 'with members' : ''),
  load(db, organization_id, { event, outboxId }) {
    // Most events lack this field and need not be parsed.
    if (!event?.includes('"isAppearing":true')) return undefined
    const { streams, isAppearing } = JSON.parse(event) as StreamEvent
    if (!isAppearing || !streams) return undefined
    return listMembersAt(
      db,
      organization_id,
      streams.map(({ stream_id }) => stream_id),
      outboxId,
    )
  },
  render(event, variant, loaded) {
    const { isAppearing: _, ...plain } = event
    if (!event.streams) return [plain]
    const streams = event.streams.map(withLaterFields)
    if (!loaded || variant === '') return [{ ...plain, streams }]
    const texts = streams.map((stream) => withMembers(stream, loaded.get(stream.stream_id)))
    return [`{"type":"stream","op":"create","streams":[${texts.join()}]}`]
  },
}

/** The fields of an emitted `stream` event that the shape reads. */
type StreamEvent = {
  streams?: Stream[]
  /** Set if the streams became visible to the audience, so that clients need their subscribers. */
  isAppearing?: true
}
