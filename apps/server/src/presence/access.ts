import { ApiError, type UserId } from '@oxbow/contract'
import { listAccountsByEmail } from '../accounts/find-by-email.ts'
import { type Account, listAccountsById } from '../accounts/queries.ts'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'

/** Loads an active person by id or display address. Throws for bots and system accounts. */
export async function accessPerson(app: App, { organization_id }: Actor, named: string): Promise<Account> {
  const account = await findAccount(app, organization_id, named)
  if (!account?.is_active || account.is_system) throw new ApiError('NO_SUCH_USER')
  if (account.bot_type !== null) throw new ApiError('PRESENCE_NOT_OF_BOTS')
  return account
}

async function findAccount(
  { config, db }: App,
  organization_id: Actor['organization_id'],
  named: string,
): Promise<Account | undefined> {
  if (!/^\d{1,15}$/.test(named)) {
    return (await listAccountsByEmail(config, db, organization_id, [named])).get(named.toLowerCase())
  }
  const id = Number(named) as UserId
  return (await listAccountsById(db, organization_id, [id])).get(id)
}
