import type { api } from '@oxbow/contract'
import type { Routes } from '../platform/http/bind.ts'
import { addLinkifier, listLinkifierObjects, listLinkifiers, removeLinkifier } from './manage-linkifiers.ts'

export const linkifierRoutes: Routes<typeof api.linkifiers> = {
  list: listLinkifiers,
  listByName: listLinkifierObjects,
  add: addLinkifier,
  remove: removeLinkifier,
}
