import { beginErasure } from '../administration/erasure/begin-erasure.ts'
import { continueErasure, type ErasureProgress } from '../administration/erasure/continue-erasure.ts'
import { getOrganizationAt } from '../organization/get-organization-at.ts'
import { isLastOwner } from '../people/users/access.ts'
import { findUser, findUserByDeliveryEmail, lockUser } from '../people/users/queries.ts'
import type { App } from '../platform/app.ts'
import { lockRoles } from '../platform/database/locks.ts'
import type { UserRow } from '../platform/database/tables.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { OperatorError } from '../platform/operator-error.ts'

/** Finds the person to erase by e-mail address or user id. An account keeps its id when it is erased. */
export async function getPersonToErase(app: App, subdomain: string, who: string): Promise<UserRow> {
  const { id, name } = await getOrganizationAt(app, subdomain)
  const user = /^\d{1,15}$/.test(who)
    ? await findUser(app.db, id, Number(who) as UserRow['id'])
    : await findUserByDeliveryEmail(app.db, id, who)
  if (!user)
    throw new OperatorError(
      `Nobody in ${name} has the address or id ${who}. \`oxbow user list\` shows addresses and ids. An erased account can be named by its id only.`,
    )
  if (user.bot_type !== null) throw new OperatorError(`${who} is a bot. Only people can be erased.`)
  return user
}

export interface ErasureOptions {
  deletesMessages: boolean
  onProgress?: (progress: ErasureProgress) => void
}

/**
 * Erases a person on behalf of the operator. Resolves once everything is done; calling it again continues. A node
 * may do parts of it at the same time, so `onProgress` gets the numbers of this call only.
 */
export async function eraseUserByOperator(
  app: App,
  { organization_id, id }: UserRow,
  { deletesMessages, onProgress }: ErasureOptions,
): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    await lockRoles(tx, organization_id, 'exclusive')
    const user = await lockUser(tx, organization_id, id)
    if (!user) throw new OperatorError('The account no longer exists.')
    if (await isLastOwner(tx, user))
      throw new OperatorError(
        'This is the only owner of the organization. Make somebody else an owner first, or delete the organization.',
      )
    await beginErasure(app, tx, user, { deletesMessages })
  })
  await continueErasure(app, { organization_id, user_id: id }, onProgress)
}
