import type { Account } from '@oxbow/testkit'
import type { LargeOrganization } from '../../subscriptions/large-organization.ts'

export interface Conversation {
  id: number
  members: number[]
}

const conversationCount = 3_000

/** Inserts conversations of two or three people. The reader is in every tenth one. */
export async function insertConversations(
  { session, organization_id, keylessUserIds }: LargeOrganization,
  reader: Account,
): Promise<Conversation[]> {
  const all = Array.from({ length: conversationCount }, (_, rank) => {
    const first = keylessUserIds[rank] as number
    const second = rank % 10 === 9 ? reader.user_id : (keylessUserIds[rank + 1] as number)
    const third = rank % 3 === 0 ? [keylessUserIds[rank + 1_000] as number] : []
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
