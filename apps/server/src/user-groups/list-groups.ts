import type { api, ResponseOf } from '@oxbow/contract'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import { listGroups } from './queries.ts'

export async function listUserGroups(
  { db }: App,
  { organization_id }: Actor,
): Promise<ResponseOf<typeof api.userGroups.list>> {
  return { user_groups: await listGroups(db, organization_id) }
}
