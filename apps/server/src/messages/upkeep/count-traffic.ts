import type { OrganizationId } from '@oxbow/contract'
import { sql } from 'kysely'
import { listOrganizations } from '../../organization/queries.ts'
import type { Tx } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { job } from '../../platform/jobs/jobs.ts'
import { settleEach } from '../../platform/settle-each.ts'

/**
 * Job that counts the messages sent to each stream per day, for the traffic in lists of streams.
 */
export const countTraffic = job<unknown>({
  name: 'count_traffic',
  schedule: '11 * * * *',
  async run({ db }) {
    await settleEach('organizations', await listOrganizations(db), ({ id }) =>
      inTransaction(db, (tx) => countForOrganization(tx, id)),
    )
  },
})

/**
 * Counts the messages since the last run. Skips the last minutes, because messages with smaller ids
 * may still be committed.
 */
async function countForOrganization(tx: Tx, organization_id: OrganizationId): Promise<void> {
  await sql`
    insert into traffic_count (organization_id, counted_to) values (${organization_id}, 0) on conflict do nothing`.execute(
    tx,
  )
  await sql`
    with old as materialized (
      select counted_to from traffic_count where organization_id = ${organization_id} for update
    ), newest as materialized (
      select id from message
      where organization_id = ${organization_id} and id > (select counted_to from old)
        and sent_at < now() - interval '5 minutes'
      order by id desc limit 1
    ), counted as (
      insert into stream_traffic as known (organization_id, stream_id, day, messages)
      select ${organization_id}, sent_recipient_id, (sent_at at time zone 'utc')::date, count(*)
      from message, old, newest
      where organization_id = ${organization_id} and message.id > old.counted_to and message.id <= newest.id
        and not is_private
      group by 2, 3
      on conflict (organization_id, stream_id, day) do update set messages = known.messages + excluded.messages
    )
    update traffic_count set counted_to = newest.id from newest where organization_id = ${organization_id}`.execute(
    tx,
  )
}
