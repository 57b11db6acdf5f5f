import type { api, ParamsOf, ResponseOf } from '@oxbow/contract'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { enqueue } from '../../platform/jobs/jobs.ts'
import { canSendMail, refuseMailWithoutUrl } from '../../platform/mail/mail.ts'
import { accessInvitation } from './access.ts'
import { changeInvitations } from './change-invitations.ts'
import { mailInvitation } from './invitation-email.ts'
import { refuseTooManyEmails, refuseTooManyResends } from './limits.ts'
import { renewInvitation } from './queries.ts'

type Resend = typeof api.invitations.resend

export async function resendInvitation(
  app: App,
  actor: Actor,
  { invite_id }: ParamsOf<Resend>,
): Promise<ResponseOf<Resend>> {
  const { organization_id } = actor
  refuseMailWithoutUrl(app)
  return changeInvitations(app, actor, async (tx, organization) => {
    const { id, email } = await accessInvitation(tx, actor, invite_id)
    await refuseTooManyResends(app, tx, { organization_id, email })
    await refuseTooManyEmails(app, tx, organization, 1)
    const invited_at = await renewInvitation(tx, { organization_id, id })
    if (canSendMail(app)) await enqueue(tx, mailInvitation, { organization_id, id })
    return { timestamp: Math.floor(invited_at.getTime() / 1_000) }
  })
}
