import { z } from 'zod'
import { invitationId, userId } from '../ids.ts'
import { field, object } from '../kernel/field.ts'

/** An invitation to one address, or a link that any number of people may use. */
export const invitation = object({
  id: field(invitationId, 'The id of the invitation.'),
  invited_by_user_id: field(userId, 'The id of the user who made the invitation.'),
  invited: field(z.int(), 'When the invitation was last sent, in seconds since 1970-01-01 UTC.'),
  invited_as: field(
    z.int(),
    'The role of users who accept it: 100 owner, 200 administrator, 400 member, 600 guest.',
  ),
  is_multiuse: field(z.boolean(), 'Whether it is a link that any number of people may use.'),
  email: field(z.string().optional(), 'The address that the invitation was sent to. Absent for links.'),
  link_url: field(
    z.string().optional(),
    'The URL of the invitation. Absent for invitations by e-mail, unless the server sends no e-mail.',
  ),
})
export type Invitation = z.infer<typeof invitation>
