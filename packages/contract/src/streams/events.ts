import { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { streamId } from '../ids.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { field } from '../kernel/field.ts'
import { streamRights } from '../plain/stream-rights.ts'
import { unsubscribedStream } from '../subscriptions/shape.ts'
import { groupSetting } from '../user-groups/group-value.ts'
import { defaultStreamGroup, stream } from './shape.ts'

const { stream_weekly_traffic, subscribers } = unsubscribedStream.shape

export const streamProperties = [
  'name',
  'email_address',
  'description',
  'invite_only',
  'stream_post_policy',
  'is_announcement_only',
  'message_retention_days',
  'first_message_id',
  'folder_id',
  ...streamRights,
] as const

/**
 * A stream that becomes visible to an account. If it is not new, it may have traffic and
 * subscribers.
 */
const revealedStream = stream.extend({
  stream_weekly_traffic: field(
    stream_weekly_traffic.optional(),
    `${stream_weekly_traffic.description} Absent for streams that were just created.`,
  ),
  subscribers: field(subscribers, 'The ids of the subscribers. Absent for streams that were just created.'),
})

export const streamEvent = z.discriminatedUnion('op', [
  eventSchema('stream', {
    op: field(z.literal('create'), 'Streams were created, or this account may now see them.'),
    streams: field(z.array(revealedStream), 'The streams.'),
  }),
  eventSchema('stream', {
    op: field(z.literal('delete'), 'Streams were archived, or this account may no longer see them.'),
    streams: field(z.array(stream), 'The streams.'),
  }),
  eventSchema('stream', {
    op: field(z.literal('update'), 'A property of a stream changed.'),
    stream_id: field(streamId, texts.streamId),
    name: field(z.string(), 'The name of the stream before the change.'),
    property: field(z.enum(streamProperties), 'The property that changed.'),
    value: field(
      z.union([z.string(), z.boolean(), z.int(), groupSetting]).nullable(),
      'The new value of the property.',
    ),
    rendered_description: field(
      z.string().optional(),
      `The new description as ${texts.renderedHtml} Present only if \`property\` is \`description\`.`,
    ),
    history_public_to_subscribers: field(
      z.boolean().optional(),
      `${stream.shape.history_public_to_subscribers.description} Present only if \`property\` is \`invite_only\`.`,
    ),
  }),
  eventSchema('stream', {
    op: field(z.literal('occupy'), 'Streams that had no subscribers got their first subscriber.'),
    streams: field(z.array(stream), 'The streams.'),
  }),
  eventSchema('stream', {
    op: field(z.literal('vacate'), 'Streams lost their last subscriber.'),
    streams: field(z.array(stream), 'The streams.'),
  }),
])
export type StreamEvent = z.infer<typeof streamEvent>

export const defaultStreamsEvent = eventSchema('default_streams', {
  default_streams: field(z.array(stream), 'All default streams, after the change.'),
})
export type DefaultStreamsEvent = z.infer<typeof defaultStreamsEvent>

export const defaultStreamGroupsEvent = eventSchema('default_stream_groups', {
  default_stream_groups: field(
    z.array(defaultStreamGroup),
    'All groups of default streams, after the change.',
  ),
})
export type DefaultStreamGroupsEvent = z.infer<typeof defaultStreamGroupsEvent>
