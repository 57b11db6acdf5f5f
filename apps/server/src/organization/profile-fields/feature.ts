import type { api } from '@oxbow/contract'
import type { Feature } from '../../feature.ts'
import type { Routes } from '../../platform/http/bind.ts'
import { createField, listFields, removeField, reorderFields, updateField } from './manage-fields.ts'
import { externalAccountsState, profileFieldsState } from './state.ts'

const profileFieldRoutes: Routes<typeof api.profileFields> = {
  list: listFields,
  create: createField,

  reorder: reorderFields,
  update: updateField,
  remove: removeField,
}

/** Definitions of custom profile fields. */
export const profileFieldsFeature = {
  routes: { profileFields: profileFieldRoutes },
  state: [profileFieldsState, externalAccountsState],
} satisfies Feature
