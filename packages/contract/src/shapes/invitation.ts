import { z } from 'zod'
import { invitationId, userId } from '../ids.ts'

/** To one address, or a link that any number of people may use. */
export const invitation = z.strictObject({
  id: invitationId,
  invited_by_user_id: userId,
  invited: z.int().meta({ description: 'When it was sent last, in seconds since 1970' }),
  invited_as: z.int().meta({ description: 'The role that whoever accepts it has' }),
  is_multiuse: z.boolean(),
  email: z.string().optional().meta({ description: 'Whom it was sent to' }),
  link_url: z.string().optional().meta({
    description: 'Of links; of others where the server sends no mail, so that someone can pass it on',
  }),
})
export type Invitation = z.infer<typeof invitation>
