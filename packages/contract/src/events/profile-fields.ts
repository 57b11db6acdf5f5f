import { z } from 'zod'
import { profileField } from '../shapes/profile-field.ts'
import { eventSchema } from './event-schema.ts'

export const profileFieldsEvent = eventSchema('custom_profile_fields', {
  op: z.literal(['add', 'update', 'delete']),
  fields: z.array(profileField),
})
export type ProfileFieldsEvent = z.infer<typeof profileFieldsEvent>
