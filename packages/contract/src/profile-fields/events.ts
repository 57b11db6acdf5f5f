import { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { profileField } from './shape.ts'

export const profileFieldsEvent = eventSchema('custom_profile_fields', {
  op: z.literal(['add', 'update', 'delete']),
  fields: z.array(profileField),
})
export type ProfileFieldsEvent = z.infer<typeof profileFieldsEvent>
