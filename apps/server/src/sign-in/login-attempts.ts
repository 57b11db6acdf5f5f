import type { OrganizationId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import { job } from '../platform/jobs.ts'

const limit = 5
const recent = sql`t > clock_timestamp() - interval '30 minutes'`

/**
 * Counts an attempt before it is made, so that any number of them at once, on any number of nodes, is no more than
 * the limit. Returns the seconds to wait where there were too many.
 */
export async function countLoginAttempt(
  db: Db,
  organization_id: OrganizationId,
  username: string,
): Promise<number | undefined> {
  const name = username.toLowerCase()
  const { rows: counted } = await sql`
    insert into login_attempt as a (organization_id, username, attempted_at)
    values (${organization_id}, ${name}, array[clock_timestamp()])
    on conflict (organization_id, username) do update
      set attempted_at = array(select t from unnest(a.attempted_at) t where ${recent}) || clock_timestamp()
      where (select count(*) from unnest(a.attempted_at) t where ${recent}) < ${limit}
    returning 1`.execute(db)
  if (counted.length > 0) return undefined

  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from min(t) + interval '30 minutes' - clock_timestamp())::float as seconds
    from login_attempt, unnest(attempted_at) t
    where organization_id = ${organization_id} and username = ${name} and ${recent}`.execute(db)
  return Math.max(rows[0]?.seconds ?? 0, 1)
}

export async function clearLoginAttempts(
  db: Db,
  organization_id: OrganizationId,
  username: string,
): Promise<void> {
  await db
    .deleteFrom('login_attempt')
    .where('organization_id', '=', organization_id)
    .where('username', '=', username.toLowerCase())
    .execute()
}

async function deleteOldLoginAttempts(db: Db): Promise<void> {
  await sql`
    delete from login_attempt where not exists (select from unnest(attempted_at) t where ${recent})`.execute(
    db,
  )
}

export const forgetOldLoginAttempts = job<unknown>({
  name: 'forget_old_login_attempts',
  schedule: '*/30 * * * *',
  run: ({ db }) => deleteOldLoginAttempts(db),
})
