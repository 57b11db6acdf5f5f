import { Role, rolesOfGeneration27 } from '@oxbow/contract'
import { isEmailAddress } from '../identity/accounts/email-address.ts'
import { openApiKey } from '../identity/api-keys.ts'
import { endSessions } from '../identity/sessions.ts'
import { getOrganizationAt } from '../organization/get-organization-at.ts'
import { addUser } from '../people/users/create-user.ts'
import { endLinks } from '../people/users/end-links.ts'
import { checkNameForOperator } from '../people/users/full-name.ts'
import { findUserByDeliveryEmail, listShownUsers, lockUser, updateUserRow } from '../people/users/queries.ts'
import type { App } from '../platform/app.ts'
import { lockRoles } from '../platform/database/locks.ts'
import type { OrganizationRow, UserRow } from '../platform/database/tables.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { OperatorError } from '../platform/operator-error.ts'
import { isStrongPassword, minPasswordLength } from '../sign-in/password-strength.ts'
import { deleteFailures } from '../sign-in/sign-in-attempts.ts'

export interface NewUserByOperator {
  subdomain: string
  email: string
  full_name: string
  role: string
  password?: string | undefined
}

export async function addUserByOperator(app: App, options: NewUserByOperator) {
  const organization = await getOrganizationAt(app, options.subdomain)
  const role = readRole(options.role)
  if (!isEmailAddress(options.email)) throw new OperatorError(`"${options.email}" is not an e-mail address.`)
  const full_name = checkNameForOperator(options.full_name)
  const password_hash = options.password === undefined ? null : await app.passwords.hash(options.password)
  return inTransaction(app.db, async (tx) => {
    await lockRoles(tx, organization.id, 'exclusive')
    const user = await addUser(app, tx, organization, {
      email: options.email,
      full_name,
      role,
      password_hash,
    })
    return { user_id: user.id, email: user.delivery_email, api_key: user.api_key }
  })
}

export interface ListedUser {
  user_id: number
  email: string
  full_name: string
  role: string
  is_bot: boolean
  is_active: boolean
}

export async function listUsersForOperator(app: App, subdomain: string): Promise<ListedUser[]> {
  const organization = await getOrganizationAt(app, subdomain)
  const listed: ListedUser[] = []
  for await (const users of listShownUsers(app.db, organization.id, false)) {
    for (const { id, delivery_email, full_name, role, bot_type, is_active } of users) {
      const shown = { user_id: id, email: delivery_email, full_name, role: roleName(role) }
      listed.push({ ...shown, is_bot: bot_type !== null, is_active })
    }
  }
  return listed
}

export async function revealApiKey(app: App, subdomain: string, email: string) {
  const organization = await getOrganizationAt(app, subdomain)
  const user = await getUserAt(app, organization, email)
  return { user_id: user.id, email: user.delivery_email, api_key: openApiKey(app, user) }
}

/** Returns a person who can sign in with a password. Throws for bots and deactivated accounts. */
export async function getPersonToSignIn(app: App, subdomain: string, email: string) {
  const organization = await getOrganizationAt(app, subdomain)
  const user = await getUserAt(app, organization, email)
  if (user.bot_type !== null)
    throw new OperatorError(`${email} is a bot. Bots have no password: they sign in with their API key.`)
  if (!user.is_active)
    throw new OperatorError(`${email} is deactivated. An administrator has to reactivate the account first.`)
  return user
}

/**
 * Sets the password of a person, ends their sessions, invalidates links that reset the password or
 * change the address, and deletes the failed sign-ins. The API key stays valid.
 */
export async function setPasswordByOperator(
  app: App,
  options: { subdomain: string; email: string; password: string },
) {
  const person = await getPersonToSignIn(app, options.subdomain, options.email)
  const { organization_id, id, delivery_email } = person
  const password_hash = await app.passwords.hash(options.password)
  await inTransaction(app.db, async (tx) => {
    await lockUser(tx, organization_id, id)
    await updateUserRow(tx, organization_id, id, { password_hash })
    await endLinks(tx, person)
    await endSessions(tx, { organization_id, user_id: id })
    await deleteFailures(tx, organization_id, delivery_email)
  })
  return { user_id: id, email: delivery_email }
}

/**
 * Throws if a password is too weak. The rules are the same as for every other password. The check
 * is slow, so `setPasswordByOperator` leaves it to the caller.
 */
export async function refuseWeakPassword(app: Pick<App, 'config'>, password: string): Promise<void> {
  if (await isStrongPassword(app, password)) return
  throw new OperatorError(
    `The password is too weak. It needs at least ${minPasswordLength} characters and must be hard to guess: try several words.`,
  )
}

async function getUserAt({ db }: App, { id, name }: OrganizationRow, email: string): Promise<UserRow> {
  const user = await findUserByDeliveryEmail(db, id, email)
  if (!user) throw new OperatorError(`Nobody in ${name} has the address ${email}.`)
  return user
}

function readRole(name: string): Role {
  const role = rolesOfGeneration27.find((known) => roleName(known) === name)
  if (role) return role
  throw new OperatorError(
    `"${name}" is not a role. Valid roles: ${rolesOfGeneration27.map(roleName).join(', ')}.`,
  )
}

function roleName(role: Role): string {
  return Object.entries(Role).find(([, code]) => code === role)?.[0] ?? String(role)
}
