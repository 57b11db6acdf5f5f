import type { OrganizationId } from '@oxbow/contract'
import { getOrganization } from '../organization/queries.ts'
import type { App } from '../platform/app.ts'
import type { JsonText } from '../platform/pieces.ts'
import { readPresenceJson } from './read-presence-json.ts'
import { SharedRead } from './shared-read.ts'

const lists = new WeakMap<App, Map<string, SharedRead<JsonText>>>()

/**
 * Returns the presence list that concurrent callers share, read at `moment` (by
 * `performance.now()`) or later.
 */
export async function readSharedPresence(
  app: App,
  organization_id: OrganizationId,
  isSlim: boolean,
  moment: number,
): Promise<JsonText> {
  const known = lists.get(app) ?? new Map<string, SharedRead<JsonText>>()
  lists.set(app, known)
  // A list that was read before addresses were hidden must not be reused. Slim lists contain no
  // addresses.
  const shown = isSlim ? {} : { email_address_visibility: await readVisibility(app, organization_id) }
  const key = `${organization_id} ${shown.email_address_visibility ?? 'slim'}`
  const list =
    known.get(key) ??
    new SharedRead(() => readPresenceJson(app, app.db, organization_id, { isSlim, ...shown }))
  known.set(key, list)
  return list.readAfter(moment)
}

async function readVisibility({ db }: App, organization_id: OrganizationId): Promise<number> {
  return (await getOrganization(db, organization_id)).email_address_visibility
}
