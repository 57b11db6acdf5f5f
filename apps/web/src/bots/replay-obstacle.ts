import type { WebhookFailure } from '@oxbow/contract'

/**
 * Returns why a refused delivery cannot be replayed; undefined if it can. The server shows no content
 * to people who did not own the bot when the delivery was refused.
 */
export function findReplayObstacle(
  failure: Pick<WebhookFailure, 'may_be_replayed' | 'query' | 'headers' | 'body' | 'body_bytes'>,
): 'former owner' | 'incomplete' | 'unsigned' | undefined {
  const { may_be_replayed, body, body_bytes } = failure
  if (may_be_replayed) return undefined
  if (!hasContent(failure)) return 'former owner'
  return body === '' && body_bytes > 0 ? 'incomplete' : 'unsigned'
}

/** Returns whether the server shows the content of a delivery. */
export const hasContent = ({
  query,
  headers,
  body,
}: Pick<WebhookFailure, 'query' | 'headers' | 'body'>): boolean =>
  query !== '' || body !== '' || Object.keys(headers).length > 0
