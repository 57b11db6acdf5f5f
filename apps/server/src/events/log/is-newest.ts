import type { OrganizationId } from '@oxbow/contract'
import { sql } from 'kysely'
import { coalesce } from '../../platform/database/coalesce.ts'
import type { Db } from '../../platform/database/database.ts'
import { isLineageIntact } from '../sequencer/lineage.ts'
import type { OrganizationLog } from './organization-log.ts'

interface LogEnd {
  /** The newest number of the organization's log. */
  head: number
  /** Whether every committed record of the organization has a number. */
  isNumbered: boolean
}

/**
 * If at least this many records wait for their numbers, all organizations count as not up to date, because the
 * outbox has no index by organization.
 */
const maxUnnumbered = 200

/** Reads the end of the log. Concurrent calls share one statement, so each costs little. */
const findLogEnd = coalesce<OrganizationId, LogEnd>(async (db, ids) => {
  const { rows } = await sql<LogEnd & { id: OrganizationId }>`
    with waiting as materialized (
      select organization_id from outbox where id > (select outbox_floor from event_log) limit ${maxUnnumbered}
    )
    select wanted.id, coalesce(event_head.last_seq, 0)::float8 as head,
      case when pg_is_in_recovery() then false
        else ${sql.raw(isLineageIntact)} and (select count(*) from waiting) < ${maxUnnumbered}
          and not exists (select from waiting where waiting.organization_id = wanted.id)
      end as "isNumbered"
    from event_log cross join unnest(${[...new Set(ids)]}::bigint[]) as wanted (id)
    left join event_head on event_head.organization_id = wanted.id`.execute(db)
  const ends = new Map(rows.map((row) => [Number(row.id), row]))
  return ids.map((id) => ends.get(Number(id)))
})

/**
 * Returns whether this node has applied every record of the organization that was committed before the call,
 * on any node. If true, data in memory that is updated by records of the log equals what PostgreSQL would
 * have returned. If false, the caller must read PostgreSQL.
 */
export async function isNewest(db: Db, organization: OrganizationLog): Promise<boolean> {
  const end = await findLogEnd(db, organization.id)
  return end?.isNumbered === true && organization.position >= end.head
}
