import { z } from 'zod'
import { profileFieldId } from '../ids.ts'
import { field, object } from '../kernel/field.ts'

const fieldValueText =
  'The value: a text, a number for a list of options, or a list of user ids for a field of people.'

export const fieldTypes = [1, 2, 3, 4, 5, 6, 7] as const

export const profileField = object({
  id: field(profileFieldId, 'The id of the custom profile field.'),
  name: field(z.string(), 'The label of the field, of up to 40 characters.'),
  type: field(
    z.literal([...fieldTypes]),
    'The type: 1 short text, 2 long text, 3 list of options, 4 date, 5 link, 6 people, 7 external account.',
  ),
  hint: field(z.string(), 'A hint for people who fill in the field, of up to 80 characters.'),
  field_data: field(
    z.string(),
    'JSON text with the options of a list or the kind of an external account. Empty for other types.',
  ),
  order: field(z.int(), 'The position of the field among all fields, in ascending order.'),
})
export type ProfileField = z.infer<typeof profileField>

/** Maximum number per organization. Everyone's state contains all fields and their values. */
export const maxProfileFields = 100
/** Maximum length of a field's choices, as JSON. */
export const maxFieldDataLength = 50_000
/** Maximum number of people in a value. */
export const maxPeopleOfValue = 100
/** Maximum length of all values of a person together, including their HTML. */
export const maxProfileCharacters = 50_000

const rawValue = z.union([z.int(), z.string(), z.array(z.int())])
export const fieldValue = object({
  id: field(profileFieldId, 'The id of the custom profile field.'),
  value: field(rawValue, fieldValueText),
})
export const fieldValueOrNull = object({
  id: field(profileFieldId, 'The id of the custom profile field.'),
  value: field(rawValue.nullable(), `${fieldValueText} Null, 0 and empty values clear the field.`),
})
export type FieldValue = z.infer<typeof fieldValueOrNull>
