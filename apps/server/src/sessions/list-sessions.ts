import type { api, ResponseOf } from '@oxbow/contract'
import { findCurrentSession } from '../identity/sessions.ts'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import { describeProgram } from './describe-program.ts'
import { listSessionRows } from './queries.ts'

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
