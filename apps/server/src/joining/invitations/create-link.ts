import type { api, ParamsOf, ResponseOf } from '@oxbow/contract'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { refuseMailWithoutUrl } from '../../platform/mail/mail.ts'
import { accessRole, accessStreamsToJoin } from './access.ts'
import { changeInvitations, emitInvitesChanged } from './change-invitations.ts'
import { joinUrl, makeLinkKey, sealBindingOfInvitation } from './keys.ts'
import { insertInvitations } from './queries.ts'

type Create = typeof api.invitations.createLink

export async function createLink(
  app: App,
  actor: Actor,
  params: ParamsOf<Create>,
): Promise<ResponseOf<Create>> {
  const { organization_id, user_id: invited_by, origin } = actor
  const role = accessRole(actor, params.invite_as)
  // A person who opens the link enters an e-mail address, which a server with e-mail confirms.
  refuseMailWithoutUrl(app)
  const binding = sealBindingOfInvitation({ organization_id, invited_by, role, email: null })
  const { key, columns } = makeLinkKey(app, binding)
  return changeInvitations(app, actor, async (tx, organization) => {
    const streams = await accessStreamsToJoin(
      tx,
      organization,
      actor,
      params.stream_ids,
      'STREAM_OF_LINK_NOT_FOUND',
    )
    const link = { email: null, invited_by, role, origin, ...columns }
    await insertInvitations(tx, organization_id, [link], streams)
    emitInvitesChanged(tx, organization_id)
    return { invite_link: joinUrl(origin, key) }
  })
}
