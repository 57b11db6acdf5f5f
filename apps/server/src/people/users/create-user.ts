import { ApiError, type api, type ParamsOf, type ResponseOf, Role } from '@oxbow/contract'
import { isEmailAddress, normalizeEmail } from '../../identity/accounts/email-address.ts'
import { apiKeyColumns, makeApiKey } from '../../identity/api-keys.ts'
import { changeRolesAs } from '../../identity/write-as.ts'
import { grantRecentHistory } from '../../messages/grant-recent-history.ts'
import { findEmailRuleViolation } from '../../organization/email-rules.ts'
import { getOrganization } from '../../organization/queries.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { OrganizationRow, StreamRow, UserRow } from '../../platform/database/tables.ts'
import { isStrongPassword } from '../../sign-in/password-strength.ts'
import { buildSignupNotice, enqueueNotices } from '../../streams/notices.ts'
import { subscribeToDefaults } from '../../streams/subscriptions/subscribe-to-defaults.ts'
import { emitUserAdded } from './emit-user-added.ts'
import { checkFullName } from './full-name.ts'
import {
  countActivePeople,
  findUserByDeliveryEmail,
  insertSettings,
  insertUser,
  updateUserRow,
} from './queries.ts'
import { changeRolePeriods } from './role-periods.ts'
import type { ViewDependencies } from './views.ts'
import { enqueueWelcome } from './welcome.ts'

type Create = typeof api.users.create

export async function createUser(
  app: App,
  actor: Actor,
  params: ParamsOf<Create>,
): Promise<ResponseOf<Create>> {
  const full_name = checkFullName(params.full_name)
  const email = params.email.trim()
  if (!isEmailAddress(email)) throw new ApiError('BAD_EMAIL')
  const organization = await getOrganization(app.db, actor.organization_id)
  await refuseForeignEmail(app, organization, email)
  if (await findUserByDeliveryEmail(app.db, organization.id, email))
    throw new ApiError('EMAIL_IN_USE', { email })
  if (!(await isStrongPassword(app, params.password))) throw new ApiError('PASSWORD_TOO_WEAK')
  // Hashing is slow by design, so it precedes all locks.
  const password_hash = await app.passwords.hash(params.password)

  return changeRolesAs(app, actor, async (tx) => {
    const { id } = await addUser(app, tx, organization, {
      email,
      full_name,
      role: Role.member,
      password_hash,
    })
    return { user_id: id }
  })
}

export interface NewUser {
  email: string
  full_name: string
  role: Role
  password_hash: string | null
}

type AddedUser = UserRow & { api_key: string }

/**
 * Creates a person and subscribes them to their first streams. The role lock must be held
 * exclusively.
 */
export async function addUser(
  app: ViewDependencies,
  tx: Tx,
  organization: OrganizationRow,
  newUser: NewUser,
  /** Streams to subscribe to instead of the default streams. */
  firstStreams?: readonly StreamRow[],
): Promise<AddedUser> {
  const user = await addAccount(app, tx, organization, newUser)
  const streams = await subscribeToDefaults(app.config, tx, user, firstStreams)
  const open = streams.filter(({ invite_only }) => !invite_only).map(({ id }) => id)
  await grantRecentHistory(tx, { organization_id: organization.id, user_id: user.id }, open)
  await enqueueSignUpNotice(tx, organization, user)
  await enqueueWelcome(tx, user)
  return user
}

export type NewAccount = NewUser & Partial<Pick<UserRow, 'bot_type' | 'bot_owner_id' | 'avatar_source'>>

/**
 * Creates the account of a person or a bot. All code that creates accounts calls this function. The
 * role lock must be held exclusively.
 */
export async function addAccount(
  app: ViewDependencies,
  tx: Tx,
  organization: OrganizationRow,
  { email, ...account }: NewAccount,
): Promise<AddedUser> {
  const api_key = makeApiKey()
  const inserted = await insertUser(tx, {
    ...account,
    api_key_hash: app.secrets.hash(api_key),
    api_key_sealed: Buffer.alloc(0),
    organization_id: organization.id,
    delivery_email: normalizeEmail(email),
  })
  // The seal is bound to the account's id, which the insert assigned.
  const columns = apiKeyColumns(app, inserted, api_key)
  await updateUserRow(tx, organization.id, inserted.id, columns)
  const user = { ...inserted, ...columns }
  await insertSettings(tx, {
    organization_id: organization.id,
    user_id: user.id,
    default_language: organization.default_language,
    twenty_four_hour_time: organization.default_twenty_four_hour_time,
  })
  const at = await changeRolePeriods(tx, organization.id, [user.id], user.role)
  await emitUserAdded(app, tx, user, at)
  return { ...user, api_key }
}

/** Enqueues a notice about the new user, unless the organization has no other users yet. */
async function enqueueSignUpNotice(tx: Tx, organization: OrganizationRow, user: UserRow): Promise<void> {
  const { id, signup_notifications_stream_id: stream } = organization
  if (stream === null) return
  const people = await countActivePeople(tx, id)
  if (people > 1)
    await enqueueNotices(tx, id, user, [buildSignupNotice(stream, user, people)], { isNews: true })
}

async function refuseForeignEmail(app: App, organization: OrganizationRow, email: string): Promise<void> {
  switch (await findEmailRuleViolation(app.db, organization, email)) {
    case 'outside':
      throw new ApiError('EMAIL_NOT_ALLOWED', { email })
    case 'disposable':
      throw new ApiError('EMAIL_DISPOSABLE')
    case 'plus':
      throw new ApiError('EMAIL_WITH_PLUS')
  }
}
