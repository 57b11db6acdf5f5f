import type { api, ParamsOf, ResponseOf } from '@oxbow/contract'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { listPresenceOf } from './queries.ts'
import { toSlimPresence } from './views.ts'

type ListOf = typeof api.presence.listOf

/**
 * Returns the presence of the given users. Unknown users and users without reports are left out.
 */
export async function listPresenceOfUsers(
  { db }: App,
  { organization_id }: Actor,
  { user_ids }: ParamsOf<ListOf>,
): Promise<ResponseOf<ListOf>> {
  const people = await listPresenceOf(db, organization_id, user_ids)
  return {
    presences: Object.fromEntries(people.map((person) => [person.id, toSlimPresence(person)])),
    server_timestamp: Date.now() / 1_000,
  }
}
