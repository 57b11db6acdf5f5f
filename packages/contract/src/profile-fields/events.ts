import { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { field } from '../kernel/field.ts'
import { profileField } from './shape.ts'

export const profileFieldsEvent = eventSchema('custom_profile_fields', {
  op: field(
    z.literal(['add', 'update', 'delete']),
    'Whether a custom profile field was added, updated or deleted.',
  ),
  fields: field(z.array(profileField), 'All custom profile fields, after the change.'),
})
export type ProfileFieldsEvent = z.infer<typeof profileFieldsEvent>
