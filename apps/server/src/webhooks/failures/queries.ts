import type { OrganizationId, UserId, WebhookFailureId } from '@oxbow/contract'
import { type Insertable, sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { Tables, WebhookFailureRow } from '../../platform/database/tables.ts'

/** Of each bot. */
const mostKept = 100
const daysKept = 14

export async function insertFailure(db: Db, row: Insertable<Tables['webhook_failure']>): Promise<void> {
  await db.insertInto('webhook_failure').values(row).execute()
  await sql`
    delete from webhook_failure
    where organization_id = ${row.organization_id} and bot_id = ${row.bot_id} and id <= (
      select id from webhook_failure
      where organization_id = ${row.organization_id} and bot_id = ${row.bot_id}
      order by id desc offset ${mostKept} limit 1)`.execute(db)
}

interface OfBot {
  organization_id: OrganizationId
  id: UserId
}

const isYoung = sql<boolean>`received_at > now() - make_interval(days => ${daysKept})`

/** The newest first. */
export async function listFailuresOf(db: Db, bot: OfBot): Promise<WebhookFailureRow[]> {
  return db
    .selectFrom('webhook_failure')
    .selectAll()
    .where('organization_id', '=', bot.organization_id)
    .where('bot_id', '=', bot.id)
    .where(isYoung)
    .orderBy('id', 'desc')
    .limit(mostKept)
    .execute()
}

export async function findFailure(
  db: Db,
  bot: OfBot,
  id: WebhookFailureId,
): Promise<WebhookFailureRow | undefined> {
  return db
    .selectFrom('webhook_failure')
    .selectAll()
    .where('organization_id', '=', bot.organization_id)
    .where('bot_id', '=', bot.id)
    .where('id', '=', id)
    .where(isYoung)
    .executeTakeFirst()
}

type Key = Pick<WebhookFailureRow, 'organization_id' | 'id'>

export async function updateReason(
  db: Db,
  { organization_id, id }: Key,
  told: { code: string; reason: string },
): Promise<void> {
  await db
    .updateTable('webhook_failure')
    .set(told)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute()
}

export async function deleteFailure(db: Db, { organization_id, id }: Key): Promise<void> {
  await db
    .deleteFrom('webhook_failure')
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute()
}

export async function deleteOldFailures(db: Db): Promise<void> {
  await sql`
    delete from webhook_failure where received_at <= now() - make_interval(days => ${daysKept})`.execute(db)
}
