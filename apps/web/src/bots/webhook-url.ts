import type { StreamId } from '@oxbow/contract'
import type { Integration } from './webhooks.ts'

/** Where and which events a service posts, as parameters of the URL that it calls. */
export interface Destination {
  /** Name or id of a stream; undefined for private messages to the owner of the bot. */
  stream: string | undefined
  /** Undefined if each event chooses its topic. */
  topic: string | undefined
  /** The events to post; undefined for all. */
  only_events: readonly string[] | undefined
}

/** Returns the URL that a service calls. It contains the API key, unless the service uses HTTP Basic. */
export function buildWebhookUrl(
  integration: Pick<Integration, 'url' | 'auth'>,
  { stream, topic, only_events }: Destination,
  api_key: string | undefined,
): string {
  const url = new URL(integration.url)
  // The URL of the server has placeholders.
  url.search = ''
  const { searchParams } = url
  if (integration.auth === 'url' && api_key !== undefined) searchParams.set('api_key', api_key)
  if (stream !== undefined) searchParams.set('stream', stream)
  if (topic !== undefined) searchParams.set('topic', topic)
  if (only_events) searchParams.set('only_events', JSON.stringify(only_events))
  return url.href
}

/**
 * Returns the text that names a stream in a URL: its id, which stays when the stream is renamed. The
 * server reads a number as a name if there is such a stream.
 */
export function nameStreamInUrl(
  { stream_id, name }: { stream_id: StreamId; name: string },
  streams: readonly { name: string }[],
): string {
  const id = String(stream_id)
  return streams.some((other) => other.name === id) ? name : id
}
