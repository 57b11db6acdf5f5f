import type { api } from '@oxbow/contract'
import type { Routes } from '../platform/http/bind.ts'
import { changeMembers } from './change-members.ts'
import { createGroup } from './create-group.ts'
import { editGroup } from './edit-group.ts'
import { listUserGroups } from './list-groups.ts'
import { removeGroup } from './remove-group.ts'

export const userGroupRoutes: Routes<typeof api.userGroups> = {
  list: listUserGroups,
  create: createGroup,

  update: editGroup,
  remove: removeGroup,
  changeMembers,
}
