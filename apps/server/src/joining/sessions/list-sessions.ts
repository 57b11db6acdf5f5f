import type { api, OrganizationId, ResponseOf, UserId } from '@oxbow/contract'
import { type Selectable, sql } from 'kysely'
import { findCurrentSession } from '../../identity/sessions.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Db } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/tables.ts'
import { describeProgram } from './describe-program.ts'

export async function listSessions({ db }: App, actor: Actor): Promise<ResponseOf<typeof api.sessions.list>> {
  const rows = await listSessionRows(db, actor.organization_id, actor.user_id)
  const current = findCurrentSession(actor)
  const sessions = rows.map(({ id, created_at, last_seen_at, user_agent, address, is_trusted }) => ({
    id,
    created_at: toSeconds(created_at),
    last_seen_at: toSeconds(last_seen_at),
    program: describeProgram(user_agent),
    address,
    is_trusted,
    is_current: id === current,
  }))
  return { sessions }
}

const toSeconds = (date: Date): number => Math.floor(date.getTime() / 1_000)

type ListedSession = Pick<
  Selectable<Tables['session']>,
  'id' | 'created_at' | 'last_seen_at' | 'user_agent' | 'address' | 'is_trusted'
>

/** Lists the sessions of an account that have not expired, the most recently used first. */
async function listSessionRows(
  db: Db,
  organization_id: OrganizationId,
  user_id: UserId,
): Promise<ListedSession[]> {
  return db
    .selectFrom('session')
    .select(['id', 'created_at', 'last_seen_at', 'user_agent', 'address', 'is_trusted'])
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}
