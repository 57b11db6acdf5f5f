import { z } from 'zod'
import { userId } from '../ids.ts'
import { botTypes } from '../plain/roles.ts'

export const profileData = z.record(
  z.string(),
  z.strictObject({ value: z.string(), rendered_value: z.string().optional() }),
)

/** Fields of all user objects. Lists, single users and the caller's own account have additional fields. */
const common = {
  user_id: userId,
  email: z.string(),
  delivery_email: z.string().optional(),
  full_name: z.string(),
  is_bot: z.boolean(),
  is_admin: z.boolean(),
  is_owner: z.boolean(),
  is_guest: z.boolean(),
  is_active: z.boolean(),
  avatar_version: z.int(),
  timezone: z.string(),
  date_joined: z.string(),
}

export const user = z.strictObject({
  ...common,
  avatar_url: z.string().nullable(),
  bot_type: z.literal([...botTypes]).nullable(),
  bot_owner_id: userId.nullable().optional(),
  profile_data: profileData.optional(),
})
export type User = z.infer<typeof user>

/** Fields of the caller's own account, which the response contains at its top level. */
export const ownUserFields = {
  ...common,
  avatar_url: z.string(),
  profile_data: profileData.optional(),
  max_message_id: z.int(),
}
