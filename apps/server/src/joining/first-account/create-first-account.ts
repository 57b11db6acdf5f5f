import { Role, type UserId } from '@oxbow/contract'
import { isEmailAddress } from '../../identity/accounts/email-address.ts'
import { emailVisibility } from '../../identity/accounts/public-account.ts'
import { startSession } from '../../identity/sessions.ts'
import { findOrganization, updateOrganization } from '../../organization/queries.ts'
import { addUser } from '../../people/users/create-user.ts'
import { subscribeToTeam } from '../../people/users/first-streams.ts'
import { checkFullName } from '../../people/users/full-name.ts'
import type { Caller } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { lockRoles } from '../../platform/database/locks.ts'
import type { OrganizationRow } from '../../platform/database/tables.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { isStrongPassword } from '../../sign-in/password-strength.ts'
import { findStreamById } from '../../streams/queries.ts'
import { findNameProblem, type NameProblem } from '../invitations/joining/join.ts'
import { isFirstAccountKey } from './keys.ts'
import { hasAccounts } from './queries.ts'

/** Values of the first-account form. */
export interface FirstOwner {
  email: string
  full_name: string
  password: string
  /** Whether guests will see only the people whom they share streams or conversations with. */
  limitsGuests: boolean
}

/** Keys of the texts that explain why a field was refused. */
export interface FirstAccountProblems {
  email?: 'reset.email_malformed'
  full_name?: NameProblem
  password?: 'account.password_weak'
}

/**
 * Outcome of a submitted form. `token` belongs to the session in which the new owner is signed in;
 * `gone` means that the link can no longer be used.
 */
export type FirstAccountOutcome =
  | { token: string; user_id: UserId }
  | { problems: FirstAccountProblems }
  | 'gone'

interface PresentedKey {
  key: string
  /** Null if the requested host does not belong to this server. */
  subdomain: string | null
}

/**
 * Finds the organization whose first account may be created with this key. Returns undefined if the
 * key is invalid or the organization has an account already.
 */
export async function findOrganizationToOwn(
  { secrets }: App,
  db: Db,
  { key, subdomain }: PresentedKey,
): Promise<OrganizationRow | undefined> {
  const organization = subdomain === null ? undefined : await findOrganization(db, subdomain)
  if (!organization || organization.deactivated_at !== null) return undefined
  if (!isFirstAccountKey(secrets, organization.id, key)) return undefined
  return (await hasAccounts(db, organization.id)) ? undefined : organization
}

/**
 * Creates the first account, which owns the organization, and signs it in. Checks the key before it
 * hashes the password, which is expensive.
 */
export async function createFirstAccount(
  app: App,
  caller: Caller,
  presented: PresentedKey,
  owner: FirstOwner,
): Promise<FirstAccountOutcome> {
  const found = await findOrganizationToOwn(app, app.db, presented)
  if (!found) return 'gone'
  const problems = await findProblems(app, owner)
  if (Object.keys(problems).length > 0) return { problems }
  const password_hash = await app.passwords.hash(owner.password)

  return inTransaction(app.db, async (tx): Promise<FirstAccountOutcome> => {
    await lockRoles(tx, found.id, 'exclusive')
    // If several requests with the same key run concurrently, only the first one finds the
    // organization without an account.
    const organization = await findOrganizationToOwn(app, tx, presented)
    if (!organization) return 'gone'
    const { id: organization_id, signup_notifications_stream_id: team_id } = organization
    const full_name = checkFullName(owner.full_name)
    const email = owner.email.trim()
    if (owner.limitsGuests) await limitGuests(tx, organization)
    const user = await addUser(app, tx, organization, { email, full_name, role: Role.owner, password_hash })
    const team =
      team_id === null ? undefined : await findStreamById(tx, { organization_id, user_id: user.id }, team_id)
    if (team) await subscribeToTeam(app, tx, user, team)
    const { id: user_id } = user
    const token = await startSession(tx, app, { organization_id, user_id, caller, isTrusted: false })
    return { token, user_id }
  })
}

/** Limits whom guests see, and hides addresses that would be shown to everyone. There is nobody to tell yet. */
async function limitGuests(tx: Tx, { id, email_address_visibility }: OrganizationRow): Promise<void> {
  const isShown = email_address_visibility === emailVisibility.everyone
  await updateOrganization(tx, id, {
    guests_see_only_shared_people: true,
    ...(isShown && { email_address_visibility: emailVisibility.administrators }),
  })
}

async function findProblems(app: App, owner: FirstOwner): Promise<FirstAccountProblems> {
  const name = findNameProblem(owner.full_name)
  const isStrong = await isStrongPassword(app, owner.password)
  return {
    ...(!isEmailAddress(owner.email.trim()) && { email: 'reset.email_malformed' }),
    ...(name && { full_name: name }),
    ...(!isStrong && { password: 'account.password_weak' }),
  }
}
