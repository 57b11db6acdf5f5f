import { makeLinkKey } from '../joining/invitations/keys.ts'
import { findResetRefusal } from '../joining/password-reset/find-target.ts'
import { resetUrl, sealBindingOfReset } from '../joining/password-reset/keys.ts'
import { replaceResets } from '../joining/password-reset/queries.ts'
import { getOrganizationAt } from '../organization/get-organization-at.ts'
import type { App } from '../platform/app.ts'
import { lockPasswordResets } from '../platform/database/locks.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { OperatorError } from '../platform/operator-error.ts'
import { getPersonToSignIn } from './users.ts'

export interface ResetLinkByOperator {
  subdomain: string
  email: string
  /** Scheme and host of the organization. */
  origin: string
  /** Hours for which the link is valid; one hour by default. */
  lifetimeHours?: number
}

/** Returns a link with which a person can set a new password. Sends no e-mail. */
export async function createResetLinkByOperator(app: App, options: ResetLinkByOperator) {
  const organization = await getOrganizationAt(app, options.subdomain)
  const refusal = findResetRefusal(organization)
  if (refusal === 'deactivated') throw new OperatorError(`${organization.name} is deactivated.`)
  if (refusal === 'no passwords')
    throw new OperatorError(`${organization.name} does not let people sign in with passwords.`)
  const person = await getPersonToSignIn(app, options.subdomain, options.email)
  const { organization_id, id: user_id, delivery_email } = person
  const email = delivery_email.toLowerCase()
  const { key, columns } = makeLinkKey(app, sealBindingOfReset({ organization_id, email }))
  const { origin, lifetimeHours: lifetime_hours = 1 } = options
  await inTransaction(app.db, async (tx) => {
    await lockPasswordResets(tx, organization_id, email)
    await replaceResets(tx, { organization_id, email, user_id, origin, lifetime_hours, ...columns })
  })
  return { user_id, email: delivery_email, link: resetUrl(origin, key) }
}
