import { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { profileFieldId, userId } from '../ids.ts'
import { roles } from '../plain/roles.ts'
import { user } from './shape.ts'

const person = <Change extends Record<string, z.ZodType>>(change: Change) =>
  z.strictObject({ user_id: userId, ...change })

/** Possible changes of a user. Each event contains exactly one. */
export const personChange = z.union([
  person({ full_name: z.string() }),
  person({ role: z.literal([...roles]) }),
  person({
    avatar_source: z.literal(['G', 'U']),
    avatar_url: z.string(),
    avatar_url_medium: z.string(),
    avatar_version: z.int(),
  }),
  person({ bot_owner_id: userId.nullable() }),
  person({ timezone: z.string() }),
  person({
    custom_profile_field: z.strictObject({
      id: profileFieldId,
      value: z.string().nullable(),
      rendered_value: z.string().optional(),
    }),
  }),
  person({
    delivery_email: z.string().nullable(),
  }),
  person({ new_email: z.string() }),
])
export type PersonChange = z.infer<typeof personChange>

export const userEvent = z.discriminatedUnion('op', [
  eventSchema('realm_user', { op: z.literal('add'), person: user }),
  eventSchema('realm_user', { op: z.literal('remove'), person: person({ full_name: z.string() }) }),
  eventSchema('realm_user', {
    op: z.literal('update'),
    person: personChange,
    can_create_streams: z.boolean().optional(),
    can_subscribe_other_users: z.boolean().optional(),
  }),
])
export type UserEvent = z.infer<typeof userEvent>
