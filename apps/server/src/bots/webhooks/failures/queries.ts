import type { OrganizationId, UserId, WebhookFailureId } from '@oxbow/contract'
import { type Insertable, sql } from 'kysely'
import { autocommit, type Db } from '../../../platform/database/database.ts'
import type { Tables, WebhookFailureRow } from '../../../platform/database/tables.ts'

/** Maximum number of stored failures per bot; the newest ones are kept. */
const maxFailuresPerBot = 100
const maxFailureDays = 14

/** Inserts a failed delivery. Deletes the bot's oldest failures beyond the limit. */
export async function insertFailure(db: Db, row: Insertable<Tables['webhook_failure']>): Promise<void> {
  await autocommit(db).insertInto('webhook_failure').values(row).execute()
  await sql`
    delete from webhook_failure
    where organization_id = ${row.organization_id} and bot_id = ${row.bot_id} and id <= (
      select id from webhook_failure
      where organization_id = ${row.organization_id} and bot_id = ${row.bot_id}
      order by id desc offset ${maxFailuresPerBot} limit 1)`.execute(db)
}

interface BotKey {
  organization_id: OrganizationId
  id: UserId
}

const isRecent = sql<boolean>`received_at > now() - make_interval(days => ${maxFailureDays})`

/** Lists a bot's failures, newest first. Without bodies, those that were kept are empty. */
export async function listFailuresOfBot(
  db: Db,
  bot: BotKey,
  includeBodies: boolean,
): Promise<WebhookFailureRow[]> {
  return db
    .selectFrom('webhook_failure')
    .select(['organization_id', 'id', 'bot_id', 'owner_id', 'integration', 'received_at', 'code', 'reason'])
    .select(['query', 'headers', 'body_bytes', 'is_signed'])
    .select(includeBodies ? 'body' : sql<Buffer | null>`substring(body for 0)`.as('body'))
    .where('organization_id', '=', bot.organization_id)
    .where('bot_id', '=', bot.id)
    .where(isRecent)
    .orderBy('id', 'desc')
    .limit(maxFailuresPerBot)
    .execute()
}

export async function findFailure(
  db: Db,
  bot: BotKey,
  id: WebhookFailureId,
): Promise<WebhookFailureRow | undefined> {
  return db
    .selectFrom('webhook_failure')
    .selectAll()
    .where('organization_id', '=', bot.organization_id)
    .where('bot_id', '=', bot.id)
    .where('id', '=', id)
    .where(isRecent)
    .executeTakeFirst()
}

type FailureKey = Pick<WebhookFailureRow, 'organization_id' | 'id'>

export async function updateReason(
  db: Db,
  { organization_id, id }: FailureKey,
  error: { code: string; reason: string },
): Promise<void> {
  await autocommit(db)
    .updateTable('webhook_failure')
    .set(error)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute()
}

export async function deleteFailure(db: Db, { organization_id, id }: FailureKey): Promise<void> {
  await autocommit(db)
    .deleteFrom('webhook_failure')
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute()
}

export async function deleteOldFailures(db: Db): Promise<void> {
  await sql`
    delete from webhook_failure where received_at <= now() - make_interval(days => ${maxFailureDays})`.execute(
    db,
  )
}
