import type { OrganizationId } from '@oxbow/contract'
import type { App } from '../platform/app.ts'
import type { JsonText } from '../platform/pieces.ts'
import { readListText } from './list-text.ts'
import { SharedList } from './shared-list.ts'

const lists = new WeakMap<App, Map<string, SharedList<JsonText>>>()

/** The list that everyone gets who asks in these moments. */
export function sharedList(app: App, organization_id: OrganizationId, isSlim: boolean): SharedList<JsonText> {
  const known = lists.get(app) ?? new Map<string, SharedList<JsonText>>()
  lists.set(app, known)
  const key = `${organization_id} ${isSlim}`
  const list = known.get(key) ?? new SharedList(() => readListText(app, app.db, organization_id, isSlim))
  known.set(key, list)
  return list
}
