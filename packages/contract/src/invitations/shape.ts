import { z } from 'zod'
import { invitationId, userId } from '../ids.ts'

/** An invitation to one address, or a link that any number of people may use. */
export const invitation = z.strictObject({
  id: invitationId,
  invited_by_user_id: userId,
  invited: z.int(),
  invited_as: z.int(),
  is_multiuse: z.boolean(),
  email: z.string().optional(),
  link_url: z.string().optional(),
})
export type Invitation = z.infer<typeof invitation>
