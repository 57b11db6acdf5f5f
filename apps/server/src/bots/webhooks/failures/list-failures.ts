import type { api, ParamsOf, ResponseOf, UserId, WebhookFailure } from '@oxbow/contract'
import type { Actor } from '../../../platform/actor.ts'
import type { App } from '../../../platform/app.ts'
import type { UserRow, WebhookFailureRow } from '../../../platform/database/tables.ts'
import { loadAccessibleBot } from '../access.ts'
import { canReplay } from './access.ts'
import { listFailuresOfBot } from './queries.ts'

type ListFailures = typeof api.webhooks.listFailures

export async function listFailures(
  { db }: App,
  actor: Actor,
  { bot_id, include_bodies }: ParamsOf<ListFailures>,
): Promise<ResponseOf<ListFailures>> {
  const bot = await loadAccessibleBot(db, actor, bot_id)
  const failures = await listFailuresOfBot(db, bot, include_bodies)
  return { webhook_failures: failures.map((failure) => viewFailure(failure, bot, actor.user_id)) }
}

/**
 * Builds the API representation of a failed delivery. Only the owner that the bot had at that time
 * gets the query, headers and body.
 */
function viewFailure(
  row: WebhookFailureRow,
  bot: Pick<UserRow, 'bot_owner_id'>,
  viewer: UserId,
): WebhookFailure {
  const { id, integration, received_at, code, reason, body_bytes, is_signed, owner_id } = row
  const isOwner = owner_id === viewer
  const { query, headers, body } = isOwner ? row : { query: '', headers: {}, body: null }
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
    may_be_replayed: body !== null && is_signed && canReplay(row, bot, viewer),
  }
}
