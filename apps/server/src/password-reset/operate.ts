import { makeLinkKey } from '../invitations/keys.ts'
import { getOrganizationAt } from '../organization/get-organization-at.ts'
import type { App } from '../platform/app.ts'
import { lockPasswordResets } from '../platform/database/locks.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { OperatorError } from '../platform/operator-error.ts'
import { getPersonToSignIn } from '../users/operate.ts'
import { findObjection } from './find-entry.ts'
import { resetUrl, sealOwnerOfReset } from './keys.ts'
import { replaceResets } from './queries.ts'

export interface ResetLinkByOperator {
  subdomain: string
  email: string
  /** Scheme and host of the organization. */
  origin: string
}

/** Returns a link by which a person sets a new password within an hour, without any e-mail. */
export async function createResetLinkByOperator(app: App, options: ResetLinkByOperator) {
  const organization = await getOrganizationAt(app, options.subdomain)
  const objection = findObjection(organization)
  if (objection === 'deactivated') throw new OperatorError(`${organization.name} is deactivated.`)
  if (objection === 'no passwords')
    throw new OperatorError(`${organization.name} does not let people sign in with passwords.`)
  const person = await getPersonToSignIn(app, options.subdomain, options.email)
  const { organization_id, id: user_id, delivery_email } = person
  const email = delivery_email.toLowerCase()
  const { key, columns } = makeLinkKey(app, sealOwnerOfReset({ organization_id, email }))
  const { origin } = options
  await inTransaction(app.db, async (tx) => {
    await lockPasswordResets(tx, organization_id, email)
    await replaceResets(tx, { organization_id, email, user_id, origin, ...columns })
  })
  return { user_id, email: delivery_email, link: resetUrl(origin, key) }
}
