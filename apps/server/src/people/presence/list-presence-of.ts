import type { api, ParamsOf, ResponseOf } from '@oxbow/contract'
import { filterSeen } from '../../identity/accounts/sight.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { listPresenceOf } from './queries.ts'
import { toSlimPresence } from './views.ts'

type ListOf = typeof api.presence.listOf

/**
 * Returns the presence of the given users. Users whom the caller does not see and users without reports are left out.
 */
export async function listPresenceOfUsers(
  { db }: App,
  actor: Actor,
  { user_ids }: ParamsOf<ListOf>,
): Promise<ResponseOf<ListOf>> {
  const seen = await filterSeen(db, actor, user_ids)
  const people = await listPresenceOf(db, actor.organization_id, [...seen])
  return {
    presences: Object.fromEntries(people.map((person) => [person.id, toSlimPresence(person)])),
    server_timestamp: Date.now() / 1_000,
  }
}
