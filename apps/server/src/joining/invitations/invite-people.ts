import { ApiError, type api, type ParamsOf } from '@oxbow/contract'
import { canSeeRealAddresses } from '../../identity/accounts/public-account.ts'
import { decideByAccountAge, decideByInvitePolicy } from '../../organization/permissions.ts'
import { getOrganization } from '../../organization/queries.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Db } from '../../platform/database/database.ts'
import type { OrganizationRow } from '../../platform/database/tables.ts'
import { enqueueAll } from '../../platform/jobs/jobs.ts'
import { canSendMail, refuseMailWithoutUrl } from '../../platform/mail/mail.ts'
import { accessRole, accessStreamsToJoin } from './access.ts'
import { readAddresses } from './addresses.ts'
import { changeInvitations, emitInvitesChanged } from './change-invitations.ts'
import { mailInvitation } from './invitation-email.ts'
import { makeLinkKey, sealBindingOfInvitation } from './keys.ts'
import { findOverusedAddresses, refuseTooManyEmails } from './limits.ts'
import { getDateJoined, insertInvitations } from './queries.ts'
import { type RefusedAddress, sortInvitedAddresses } from './sort-invited-addresses.ts'

export async function invitePeople(
  app: App,
  actor: Actor,
  params: ParamsOf<typeof api.invitations.send>,
): Promise<object> {
  const { organization_id, user_id: invited_by, origin } = actor
  // Checked before the transaction, so that a refused request does not take the lock.
  refuseUnlessMayInvite(await getOrganization(app.db, organization_id), actor)
  const role = accessRole(actor, params.invite_as)
  refuseMailWithoutUrl(app)
  const addresses = readAddresses(params.invitee_emails)
  if (addresses.length === 0) throw new ApiError('NO_ADDRESS_TO_INVITE')
  if (params.stream_ids.length === 0) throw new ApiError('NO_STREAM_TO_JOIN')

  // The request can fail after the transaction has committed, because some addresses were not
  // invited. The transaction must therefore not save its result as the response for retries.
  const notInvited = await changeInvitations(
    app,
    actor,
    async (tx, organization) => {
      refuseUnlessMayInvite(organization, actor)
      const streams = await accessStreamsToJoin(
        tx,
        organization,
        actor,
        params.stream_ids,
        'STREAM_TO_JOIN_NOT_FOUND',
      )
      await refuseTooManyEmails(app, tx, organization, addresses.length)
      await refuseTooNew(tx, organization, actor)
      const sorted = await sortInvitedAddresses(
        tx,
        organization,
        addresses,
        !canSeeRealAddresses(organization, actor.role),
      )
      const overused = await findOverusedAddresses(app, tx, organization_id, sorted.invitable)
      const { invalid } = sorted
      const invitable = sorted.invitable.filter((address) => !overused.includes(address))
      const notInvited = [...sorted.known, ...overused.map(refuseOverused)]
      refuseInvalidOrEmpty(invitable, invalid, notInvited)

      const invitations = invitable.map((email) => {
        const binding = sealBindingOfInvitation({ organization_id, invited_by, role, email })
        return { email, invited_by, role, origin, ...makeLinkKey(app, binding).columns }
      })
      const ids = await insertInvitations(tx, organization_id, invitations, streams)
      const payloads = ids.map((id) => ({ organization_id, id }))
      if (canSendMail(app)) await enqueueAll(tx, mailInvitation, payloads)
      emitInvitesChanged(tx, organization_id)
      return notInvited
    },
    { skipsIdempotency: true },
  )
  if (notInvited.length > 0)
    throw new ApiError('SOME_NOT_INVITED', { errors: notInvited, sent_invitations: true })
  return {}
}

const refuseOverused = (address: string): RefusedAddress => [
  address,
  'This address was invited too often in the last 24 hours.',
  false,
]

function refuseUnlessMayInvite(organization: OrganizationRow, actor: Actor): void {
  if (!decideByInvitePolicy(organization, actor).allowed) throw new ApiError('MUST_BE_ADMINISTRATOR')
}

async function refuseTooNew(db: Db, organization: OrganizationRow, actor: Actor): Promise<void> {
  const date_joined = await getDateJoined(db, actor)
  if (!decideByAccountAge(organization, { role: actor.role, date_joined }).allowed)
    throw new ApiError('TOO_NEW_TO_INVITE', { errors: [], sent_invitations: false })
}

function refuseInvalidOrEmpty(
  invitable: string[],
  invalid: RefusedAddress[],
  notInvited: RefusedAddress[],
): void {
  if (invalid.length > 0)
    throw new ApiError('ADDRESSES_NOT_VALID', {
      errors: [...invalid, ...notInvited],
      sent_invitations: false,
    })
  if (invitable.length === 0)
    throw new ApiError('NOBODY_INVITED', { errors: notInvited, sent_invitations: false })
}
