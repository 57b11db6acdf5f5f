import type { MessageId, OrganizationId, StreamId } from '@oxbow/contract'
import { type RawBuilder, sql } from 'kysely'
import { emit } from '../../events/emit.ts'
import { listOrganizations } from '../../organization/queries.ts'
import type { App } from '../../platform/app.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { lockRoles, lockStreamDirectory, lockStreamsExclusive } from '../../platform/database/locks.ts'
import type { OrganizationRow, StreamRow } from '../../platform/database/tables.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { job } from '../../platform/jobs/jobs.ts'
import { settleEach } from '../../platform/settle-each.ts'
import { deleteMessages } from '../delete/delete-rows.ts'
import { updateFirstMessage } from '../first-message.ts'

/**
 * Job that deletes messages older than the retention time of their stream or organization. Clients
 * get no events about these deletions.
 */
export const deleteOldMessages = job<unknown>({
  name: 'delete_old_messages',
  schedule: '23 3 * * *',
  async run(app) {
    await settleEach('organizations', await listOrganizations(app.db), (organization) =>
      deleteOldOfOrganization(app, organization),
    )
  },
})

async function deleteOldOfOrganization(app: App, organization: OrganizationRow): Promise<void> {
  const streams = async () => {
    const all = await listStreamsWithRetention(app.db, organization.id)
    await settleEach('streams', all, ({ id, days }) =>
      repeatUntilDone(app, (tx) => deleteOldInStream(tx, organization.id, id, days)),
    )
  }
  const conversations = () => deleteOldInConversations(app, organization)
  await settleEach('kinds of recipients', [streams, conversations], (forget) => forget())
}

/**
 * Number of messages deleted per transaction. Senders to the stream must wait for the transaction.
 */
const batchSize = 1_000
const conversationBatchSize = 1_000

async function repeatUntilDone({ db }: App, work: (tx: Tx) => Promise<number>): Promise<void> {
  while ((await inTransaction(db, work)) === batchSize);
}

async function listStreamsWithRetention(
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

async function deleteOldInStream(
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
  const inStream = sql`m.organization_id = ${organization_id} and m.recipient_id = ${id}`
  const ids = await listExpired(tx, days, [
    sql`${inStream} and m.sent_recipient_id = ${id}`,
    sql`${inStream} and m.recipient_id <> m.sent_recipient_id`,
  ])
  await deleteExpired(tx, organization_id, ids)
  await updateFirstMessage(tx, stream)
  return ids.length
}

/**
 * Deletes messages. Clients get no events, but an effect invalidates the nodes' cached data about
 * messages.
 */
async function deleteExpired(
  tx: Tx,
  organization_id: OrganizationId,
  ids: readonly MessageId[],
): Promise<void> {
  if (ids.length === 0) return
  await deleteMessages(tx, organization_id, ids)
  emit(tx, { organization_id, effects: [{ kind: 'organization', subject: 'expired messages' }] })
}

/**
 * Lists up to `batchSize` expired messages. Ids increase with time, so only the lowest ids are
 * examined.
 */
async function listExpired(
  tx: Tx,
  days: number,
  conditions: readonly RawBuilder<unknown>[],
): Promise<MessageId[]> {
  const branches = conditions.map(
    (condition) =>
      sql`(select m.id, m.sent_at from message m where ${condition} order by m.id limit ${batchSize})`,
  )
  const { rows } = await sql<{ id: MessageId }>`
    select id from (${sql.join(branches, sql` union all `)}) as oldest
    where sent_at < now() - make_interval(days => ${days})
    order by id limit ${batchSize}`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Applies the organization's retention to private messages. */
async function deleteOldInConversations(
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
      order by c.id limit ${conversationBatchSize}`.execute(app.db)
    await settleEach(
      'conversations',
      rows.filter(({ is_old }) => is_old),
      ({ id }) => repeatUntilDone(app, (tx) => deleteOldInConversation(tx, organization_id, id, days)),
    )
    if (rows.length < conversationBatchSize) return
    after = rows.at(-1)?.id ?? after
  }
}

async function deleteOldInConversation(
  tx: Tx,
  organization_id: OrganizationId,
  id: number,
  days: number,
): Promise<number> {
  const ids = await listExpired(tx, days, [
    sql`m.organization_id = ${organization_id} and m.sent_recipient_id = ${id}`,
  ])
  await deleteExpired(tx, organization_id, ids)
  return ids.length
}
