import { type OrganizationId, Role } from '@oxbow/contract'
import { isSightLimited, listInSight } from '../../identity/accounts/sight.ts'
import { getOrganization } from '../../organization/queries.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { BoundedCache } from '../../platform/bounded-cache.ts'
import { perNode } from '../../platform/per-node.ts'
import type { JsonText } from '../../platform/pieces.ts'
import { readPresenceJson } from './read-presence-json.ts'
import { SharedRead } from './shared-read.ts'

/** Maximum number of cached lists. A node serves fewer organizations at a time. */
const maxLists = 10_000

const getLists = perNode({
  name: 'shared presence lists',
  create: () => new BoundedCache<string, SharedRead<JsonText>>(maxLists),
  countEntries: ({ size }) => size,
})

/**
 * Returns the presence list that concurrent callers share, read at `moment` (by
 * `performance.now()`) or later. A guest whose sight is limited gets a list of its own.
 */
export async function readSharedPresence(
  app: App,
  actor: Pick<Actor, 'organization_id' | 'user_id' | 'role'>,
  isSlim: boolean,
  moment: number,
): Promise<JsonText> {
  const { organization_id, role } = actor
  if (role === Role.guest && (await isSightLimited(app.db, actor))) {
    const ids = await listInSight(app.db, actor)
    return readPresenceJson(app, app.db, organization_id, { isSlim, ids })
  }
  // A list that was read before addresses were hidden must not be reused. Slim lists contain no
  // addresses.
  const shown = isSlim ? {} : { email_address_visibility: await readVisibility(app, organization_id) }
  const key = `${organization_id} ${shown.email_address_visibility ?? 'slim'}`
  const list = getLists(app).getOrMake(
    key,
    () => new SharedRead(() => readPresenceJson(app, app.db, organization_id, { isSlim, ...shown })),
  )
  return list.readAfter(moment)
}

async function readVisibility({ db }: App, organization_id: OrganizationId): Promise<number> {
  return (await getOrganization(db, organization_id)).email_address_visibility
}
