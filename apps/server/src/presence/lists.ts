import type { OrganizationId } from '@oxbow/contract'
import { getOrganization } from '../organization/queries.ts'
import type { App } from '../platform/app.ts'
import type { JsonText } from '../platform/pieces.ts'
import { readListText } from './list-text.ts'
import { SharedList } from './shared-list.ts'

const lists = new WeakMap<App, Map<string, SharedList<JsonText>>>()

/** Returns the list that everyone gets who asks in these moments, read after `moment` by `performance.now()`. */
export async function readSharedList(
  app: App,
  organization_id: OrganizationId,
  isSlim: boolean,
  moment: number,
): Promise<JsonText> {
  const known = lists.get(app) ?? new Map<string, SharedList<JsonText>>()
  lists.set(app, known)
  // A list that was read before addresses were hidden must not be shared afterwards. Slim ones hold no address.
  const shown = isSlim ? {} : { email_address_visibility: await readVisibility(app, organization_id) }
  const key = `${organization_id} ${shown.email_address_visibility ?? 'slim'}`
  const list =
    known.get(key) ?? new SharedList(() => readListText(app, app.db, organization_id, { isSlim, ...shown }))
  known.set(key, list)
  return list.readAfter(moment)
}

async function readVisibility({ db }: App, organization_id: OrganizationId): Promise<number> {
  return (await getOrganization(db, organization_id)).email_address_visibility
}
