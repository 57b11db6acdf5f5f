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

const rawValue = z.union([z.int(), z.string(), z.array(z.int())])
export const fieldValue = z.strictObject({ id: profileFieldId, value: rawValue })
export const fieldValueOrNull = z.strictObject({ id: profileFieldId, value: rawValue.nullable() })
export type FieldValue = z.infer<typeof fieldValueOrNull>
