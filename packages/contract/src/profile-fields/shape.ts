import { z } from 'zod'
import { profileFieldId } from '../ids.ts'

export const fieldTypes = [1, 2, 3, 4, 5, 6, 7] as const

export const profileField = z.strictObject({
  id: profileFieldId,
  name: z.string(),
  type: z.literal([...fieldTypes]),
  hint: z.string(),
  field_data: z.string(),
  order: z.int(),
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
export const fieldValue = z.strictObject({ id: profileFieldId, value: rawValue })
export const fieldValueOrNull = z.strictObject({ id: profileFieldId, value: rawValue.nullable() })
export type FieldValue = z.infer<typeof fieldValueOrNull>
