import type { MessageId, OrganizationId, StreamId } from '@oxbow/contract'
import { type RawBuilder, sql } from 'kysely'
import { listOrganizations } from '../../organization/queries.ts'
import type { App } from '../../platform/app.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { lockRoles, lockStreamDirectory, lockStreamsExclusive } from '../../platform/database/locks.ts'
import type { OrganizationRow, StreamRow } from '../../platform/database/tables.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { job } from '../../platform/jobs.ts'
import { settleEach } from '../../platform/settle-each.ts'
import { deleteMessages } from '../delete/delete-rows.ts'
import { updateFirstMessage } from '../first-message.ts'

/** Deletes what is older than the organization, or the stream, keeps messages. Clients are not told of it. */
export const deleteOldMessages = job<unknown>({
  name: 'delete_old_messages',
  schedule: '23 3 * * *',
  async run(app) {
    await settleEach('organizations', await listOrganizations(app.db), (each) => forgetOld(app, each))
  },
})

async function forgetOld(app: App, organization: OrganizationRow): Promise<void> {
  const streams = async () => {
    const all = await listStreamsThatForget(app.db, organization.id)
    await settleEach('streams', all, ({ id, days }) =>
      forgetIn(app, (tx) => forgetInStream(tx, organization.id, id, days)),
    )
  }
  const conversations = () => forgetConversations(app, organization)
  await settleEach('kinds of recipients', [streams, conversations], (forget) => forget())
}

/** Whoever sends to the stream waits for so many. */
const atOnce = 1_000
const conversationsAtOnce = 1_000

async function forgetIn({ db }: App, work: (tx: Tx) => Promise<number>): Promise<void> {
  while ((await inTransaction(db, work)) === atOnce);
}

async function listStreamsThatForget(
  db: Db,
  organization_id: OrganizationId,
): Promise<{ id: StreamId; days: number }[]> {
  const { rows } = await sql<{ id: StreamId; days: number }>`
    select stream.id, coalesce(stream.message_retention_days, organization.message_retention_days) as days
    from stream join organization on organization.id = stream.organization_id
    where stream.organization_id = ${organization_id} and stream.first_message_id is not null
      and coalesce(stream.message_retention_days, organization.message_retention_days) > 0
    order by stream.id`.execute(db)
  return rows
}

async function forgetInStream(
  tx: Tx,
  organization_id: OrganizationId,
  id: StreamId,
  days: number,
): Promise<number> {
  await lockRoles(tx, organization_id, 'shared')
  await lockStreamDirectory(tx, organization_id, 'exclusive')
  await lockStreamsExclusive(tx, [id])
  const stream: StreamRow = await tx
    .selectFrom('stream')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const kept = sql`m.organization_id = ${organization_id} and m.recipient_id = ${id}`
  const ids = await listOldest(tx, days, [
    sql`${kept} and m.sent_recipient_id = ${id}`,
    sql`${kept} and m.recipient_id <> m.sent_recipient_id`,
  ])
  await deleteMessages(tx, organization_id, ids)
  await updateFirstMessage(tx, stream)
  return ids.length
}

/** Ids grow with time, so the first that is young enough ends the search. */
async function listOldest(tx: Tx, days: number, ways: readonly RawBuilder<unknown>[]): Promise<MessageId[]> {
  const branches = ways.map(
    (where) => sql`(select m.id, m.sent_at from message m where ${where} order by m.id limit ${atOnce})`,
  )
  const { rows } = await sql<{ id: MessageId }>`
    select id from (${sql.join(branches, sql` union all `)}) as oldest
    where sent_at < now() - make_interval(days => ${days})
    order by id limit ${atOnce}`.execute(tx)
  return rows.map(({ id }) => id)
}

/** People keep what they wrote to each other as long as the organization says. */
async function forgetConversations(
  app: App,
  { id: organization_id, message_retention_days: days }: OrganizationRow,
): Promise<void> {
  if (days <= 0) return
  let after = 0
  for (;;) {
    const { rows } = await sql<{ id: number; is_old: boolean }>`
      select c.id, coalesce((
        select m.sent_at < now() - make_interval(days => ${days}) from message m
        where m.organization_id = ${organization_id} and m.sent_recipient_id = c.id order by m.id limit 1), false) as is_old
      from conversation c
      where c.organization_id = ${organization_id} and c.id > ${after}
      order by c.id limit ${conversationsAtOnce}`.execute(app.db)
    await settleEach(
      'conversations',
      rows.filter(({ is_old }) => is_old),
      ({ id }) => forgetIn(app, (tx) => forgetConversation(tx, organization_id, id, days)),
    )
    if (rows.length < conversationsAtOnce) return
    after = rows.at(-1)?.id ?? after
  }
}

async function forgetConversation(
  tx: Tx,
  organization_id: OrganizationId,
  id: number,
  days: number,
): Promise<number> {
  const ids = await listOldest(tx, days, [
    sql`m.organization_id = ${organization_id} and m.sent_recipient_id = ${id}`,
  ])
  await deleteMessages(tx, organization_id, ids)
  return ids.length
}
