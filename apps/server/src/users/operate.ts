import { Role } from '@oxbow/contract'
import { isEmailAddress } from '../organization/email-address.ts'
import { findOrganization } from '../organization/queries.ts'
import type { App } from '../platform/app.ts'
import { holdRoles } from '../platform/database/locks.ts'
import type { OrganizationRow } from '../platform/database/tables.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { OperatorError } from '../platform/operator-error.ts'
import { addUser } from './create-user.ts'
import { checkFullName } from './full-name.ts'
import { findUserByDeliveryEmail, listShownUsers } from './queries.ts'

/** What whoever runs the server may do from its command line, without an account. */
export interface NewUserByOperator {
  subdomain: string
  email: string
  full_name: string
  role: string
  password?: string | undefined
}

export async function addUserByOperator(app: App, given: NewUserByOperator) {
  const organization = await getOrganizationAt(app, given.subdomain)
  const role = readRole(given.role)
  if (!isEmailAddress(given.email)) throw new OperatorError(`"${given.email}" is not an e-mail address.`)
  const full_name = checkNameOfOperator(given.full_name)
  const password_hash = given.password === undefined ? null : await app.passwords.hash(given.password)
  return inTransaction(app.db, async (tx) => {
    await holdRoles(tx, organization.id, 'alone')
    const user = await addUser(app, tx, organization, { email: given.email, full_name, role, password_hash })
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
  const user = await findUserByDeliveryEmail(app.db, organization.id, email)
  if (!user) throw new OperatorError(`Nobody in ${organization.name} has the address ${email}.`)
  return { user_id: user.id, email: user.delivery_email, api_key: app.secrets.decrypt(user.api_key_sealed) }
}

/** The same rules as for everyone, in words that say what they are about. */
export function checkNameOfOperator(given: string): string {
  try {
    return checkFullName(given)
  } catch (error) {
    throw new OperatorError(`"${given}" cannot be a full name: ${(error as Error).message}`)
  }
}

export async function getOrganizationAt(app: App, subdomain: string): Promise<OrganizationRow> {
  const organization = await findOrganization(app.db, subdomain)
  if (organization) return organization
  throw new OperatorError(
    subdomain === ''
      ? 'There is no organization on the root host. Create one with `oxbow organization create`, or name another with --subdomain.'
      : `There is no organization at the subdomain "${subdomain}". \`oxbow organization list\` shows them.`,
  )
}

function readRole(name: string): Role {
  if (Object.hasOwn(Role, name)) return Role[name as keyof typeof Role]
  throw new OperatorError(`"${name}" is no role. The roles: ${Object.keys(Role).join(', ')}.`)
}

function roleName(role: Role): string {
  return Object.entries(Role).find(([, code]) => code === role)?.[0] ?? String(role)
}
