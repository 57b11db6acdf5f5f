import type { BotType, OrganizationId, Role, UserId } from '@oxbow/contract'
import type { ActorBot } from '../platform/actor.ts'
import { coalesce } from '../platform/database/coalesce.ts'

export interface KeyAccount {
  user_id: UserId
  organization_id: OrganizationId
  delivery_email: string
  role: Role
  bot_type: BotType | null
  /** Absent for people. */
  bot: ActorBot | undefined
  is_active: boolean
  subdomain: string
  organization_deactivated_at: Date | null
}

/** Coalesced, because every request that is not served from the cache needs it. */
export const findAccountByKeyHash = coalesce<Buffer, KeyAccount>(async (db, hashes) => {
  const found = await db
    .selectFrom('user_account')
    .innerJoin('organization', 'organization.id', 'user_account.organization_id')
    .select([
      'user_account.api_key_hash',
      'user_account.id as user_id',
      'user_account.organization_id',
      'user_account.delivery_email',
      'user_account.role',
      'user_account.bot_type',
      'user_account.bot_owner_id',
      'user_account.full_name',
      'user_account.is_active',
      'organization.subdomain',
      'organization.deactivated_at as organization_deactivated_at',
    ])
    .where((eb) => eb('user_account.api_key_hash', '=', eb.fn.any(eb.val(hashes))))
    .execute()
  const accounts = new Map(
    found.map(({ api_key_hash, bot_owner_id: owner_id, full_name, ...account }) => {
      const { bot_type, delivery_email: email } = account
      const bot = bot_type === null ? undefined : { owner_id, email, full_name }
      return [api_key_hash.toString('hex'), { ...account, bot }]
    }),
  )
  return hashes.map((hash) => accounts.get(hash.toString('hex')))
})
