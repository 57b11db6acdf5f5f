import { FieldType } from '@oxbow/contract'
import type { StateSlice } from '../../events/state-slice.ts'
import { externalAccounts } from './field-data.ts'
import { listProfileFields } from './queries.ts'
import { viewProfileField } from './views.ts'

export const profileFieldsState: StateSlice = {
  types: ['custom_profile_fields'],
  read: async ({ actor, db }) => ({
    custom_profile_fields: (await listProfileFields(db, actor.organization_id)).map(viewProfileField),
    custom_profile_field_types: fieldTypes,
  }),
}

/** The predefined external accounts, which clients offer for new fields. */
export const externalAccountsState: StateSlice = {
  types: ['realm'],
  read: async () => ({
    realm_default_external_accounts: Object.fromEntries(
      Object.entries(externalAccounts).map(([key, account]) => [key, { text: account.name, ...account }]),
    ),
  }),
}

const fieldTypes = {
  SHORT_TEXT: { id: FieldType.shortText, name: 'Short text' },
  LONG_TEXT: { id: FieldType.longText, name: 'Long text' },
  CHOICE: { id: FieldType.choice, name: 'List of options' },
  DATE: { id: FieldType.date, name: 'Date picker' },
  URL: { id: FieldType.url, name: 'Link' },
  USER: { id: FieldType.people, name: 'Person picker' },
  EXTERNAL_ACCOUNT: { id: FieldType.externalAccount, name: 'External account' },
}
