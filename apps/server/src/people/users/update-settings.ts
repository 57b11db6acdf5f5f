import { ApiError, type api, isAdministrator, type ParamsOf, type ResponseOf } from '@oxbow/contract'
import { errorForInvalidCredential } from '../../identity/authenticate.ts'
import { endSessions, findCurrentSession } from '../../identity/sessions.ts'
import { writeAs } from '../../identity/write-as.ts'
import { getOrganization } from '../../organization/queries.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { isStrongPassword } from '../../sign-in/password-strength.ts'
import { accessOwnUser } from './access.ts'
import { startEmailChange } from './change-email.ts'
import { endLinks } from './end-links.ts'
import { findUser, updateUserRow } from './queries.ts'
import { changeFullName } from './update-user.ts'
import { verifyOwnPassword } from './verify-own-password.ts'

type Update = typeof api.users.updateSettings
const partialWrite = { skipsIdempotency: true }

/**
 * Changes password, address and name, each in a separate transaction. If one is refused, the
 * changes before it are kept.
 */
export async function updateSettings(
  app: App,
  actor: Actor,
  params: ParamsOf<Update>,
): Promise<ResponseOf<Update>> {
  const email = params.email.trim()
  if (!params.full_name && !params.new_password && !email) throw new ApiError('NOTHING_TO_CHANGE')
  const user = await findUser(app.db, actor.organization_id, actor.user_id)
  if (!user) throw new ApiError(errorForInvalidCredential(actor.credential))
  const organization = await getOrganization(app.db, actor.organization_id)

  if (params.new_password) await changePassword(app, actor, params)
  const changesEmail = email !== '' && email.toLowerCase() !== user.delivery_email.toLowerCase()
  // Requires the password: the owner of the address can set a new password, so a person at someone
  // else's unattended browser must not change the address.
  if (changesEmail && actor.credential.kind === 'session' && !params.new_password)
    await verifyOwnPassword(app, actor, params.old_password)
  if (changesEmail) await startEmailChange(app, actor, organization, email)
  const mayRename = !organization.name_changes_disabled || isAdministrator(actor.role)
  const full_name = mayRename ? await renameSelf(app, actor, params.full_name) : undefined
  return {
    ...(changesEmail && { account_email: 'Check your email for a confirmation link. ' }),
    ...(full_name !== undefined && { full_name }),
  }
}

async function changePassword(app: App, actor: Actor, params: ParamsOf<Update>): Promise<void> {
  const { organization_id, user_id } = actor
  const verifiedHash = await verifyOwnPassword(app, actor, params.old_password)
  if (!(await isStrongPassword(app, params.new_password))) throw new ApiError('NEW_PASSWORD_TOO_WEAK')
  const password_hash = await app.passwords.hash(params.new_password)
  await writeAs(
    app,
    actor,
    async (tx) => {
      const locked = await accessOwnUser(tx, actor)
      // The verified password may have been replaced while the new one was hashed.
      if (locked.password_hash !== verifiedHash) throw new ApiError('WRONG_PASSWORD')
      await updateUserRow(tx, organization_id, user_id, { password_hash })
      await endLinks(tx, locked)
      await endSessions(tx, { organization_id, user_id, exceptId: findCurrentSession(actor) })
    },
    partialWrite,
  )
}

async function renameSelf(app: App, actor: Actor, name: string): Promise<string | undefined> {
  if (name.trim() === '') return undefined
  return writeAs(
    app,
    actor,
    async (tx) => changeFullName(tx, await accessOwnUser(tx, actor), name),
    partialWrite,
  )
}
