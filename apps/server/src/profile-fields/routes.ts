import type { api } from '@oxbow/contract'
import type { Routes } from '../platform/http/bind.ts'
import { createField, listFields, removeField, reorderFields, updateField } from './manage-fields.ts'

export const profileFieldRoutes: Routes<typeof api.profileFields> = {
  list: listFields,
  create: createField,

  reorder: reorderFields,
  update: updateField,
  remove: removeField,
}
