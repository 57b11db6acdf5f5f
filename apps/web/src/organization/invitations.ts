import type { Invitation, StreamId } from '@oxbow/contract'
import { client } from '../client/client.ts'

export interface InvitationDraft {
  /** Role of the invited people, as the protocol's number. */
  readonly invite_as: number
  /** Ids of the streams that invited people are subscribed to. */
  readonly stream_ids: readonly StreamId[]
}

/** Lists the invitations that can still be accepted. */
export const listInvitations = async (): Promise<readonly Invitation[]> =>
  (await client.invitations.list()).invites

/** Invites people by their addresses, separated by commas or lines. Throws the server's refusal. */
export const inviteByEmail = (
  invitee_emails: string,
  { invite_as, stream_ids }: InvitationDraft,
): Promise<unknown> => client.invitations.send({ invitee_emails, invite_as, stream_ids: [...stream_ids] })

/** Returns a new link that any number of people may use. */
export const createInvitationLink = async ({ invite_as, stream_ids }: InvitationDraft): Promise<string> =>
  (await client.invitations.createLink({ invite_as, stream_ids: [...stream_ids] })).invite_link

export const revokeInvitation = ({ id, is_multiuse }: Invitation): Promise<unknown> =>
  is_multiuse
    ? client.invitations.revokeLink({ invite_id: id })
    : client.invitations.revoke({ invite_id: id })

/** Mails an invitation again, which is then valid for another ten days. */
export const resendInvitation = ({ id }: Invitation): Promise<unknown> =>
  client.invitations.resend({ invite_id: id })
