import type { WebhookFailure } from '@oxbow/contract'
import type { WebhookFailureRow } from '../../platform/database/tables.ts'

export function viewFailure(row: WebhookFailureRow): WebhookFailure {
  const { id, integration, received_at, code, reason, query, headers, body, body_bytes, is_signed } = row
  return {
    id,
    integration,
    received_at: Math.floor(received_at.getTime() / 1000),
    code,
    reason,
    query,
    headers,
    body: body?.toString('utf8') ?? '',
    body_bytes,
    may_be_replayed: body !== null && is_signed,
  }
}
