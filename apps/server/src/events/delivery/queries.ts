import type { OrganizationId, Role, UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import { coalesce } from '../../platform/database/coalesce.ts'
import type { Period } from './periods.ts'

interface AccountKey {
  organization_id: OrganizationId
  user_id: UserId
}

export interface AccountHistory extends AccountKey {
  is_bot: boolean
  roles: Period<Role>[] | null
  streams: (Omit<Period<true>, 'value'> & { stream_id: number })[] | null
}

/**
 * Finds the history of an account's roles and subscriptions. Lookups are coalesced, because thousands of
 * queues may move here at once from a node that died.
 */
export const findAccountHistory = coalesce<AccountKey, AccountHistory>(async (db, keys) => {
  const { rows } = await sql<AccountHistory>`
    select u.organization_id, u.id as user_id, u.bot_type is not null as is_bot,
      (select json_agg(json_build_object('value', role, 'from', from_outbox_id, 'to', to_outbox_id))
       from role_period p where p.organization_id = u.organization_id and p.user_id = u.id) as roles,
      (select json_agg(json_build_object('stream_id', stream_id, 'from', from_outbox_id, 'to', to_outbox_id))
       from subscription_period p where p.organization_id = u.organization_id and p.user_id = u.id) as streams
    from unnest(
      ${keys.map((key) => key.organization_id)}::bigint[], ${keys.map((key) => key.user_id)}::bigint[]
    ) as asked (organization_id, id)
    join user_account u using (organization_id, id)`.execute(db)
  const byKey = new Map(rows.map((row) => [keyOf(row), row]))
  return keys.map((key) => byKey.get(keyOf(key)))
})

const keyOf = ({ organization_id, user_id }: AccountKey): string => `${organization_id} ${user_id}`
