import type { Account } from '@oxbow/testkit'
import type { Village } from '../../subscriptions/village.ts'

export interface Conversation {
  id: number
  members: number[]
}

const count = 3_000

/** Of two or of three; the reader is in every tenth. */
export async function insertConversations(
  { session, organization_id, villagers }: Village,
  reader: Account,
): Promise<Conversation[]> {
  const all = Array.from({ length: count }, (_, rank) => {
    const first = villagers[rank] as number
    const second = rank % 10 === 9 ? reader.user_id : (villagers[rank + 1] as number)
    const third = rank % 3 === 0 ? [villagers[rank + 1_000] as number] : []
    return [first, second, ...third].sort((a, b) => a - b)
  })
  const { rows } = await session.query<Conversation>(
    `insert into conversation (organization_id, members, members_digest)
     select $1, members::bigint[], sha256(convert_to(trim(members, '{}'), 'UTF8')) from unnest($2::text[]) as members
     returning id, members`,
    [organization_id, all.map((members) => `{${members.join()}}`)],
  )
  return rows.map(({ id, members }) => ({ id, members: members.map(Number) })).sort((a, b) => a.id - b.id)
}
