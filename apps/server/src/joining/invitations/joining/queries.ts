import type { InvitationId, OrganizationId, Role, StreamId, UserId } from '@oxbow/contract'
import { type Insertable, sql } from 'kysely'
import type { Db, Tx } from '../../../platform/database/database.ts'
import type { Tables, UserRow } from '../../../platform/database/tables.ts'
import { isOpenInvitation, isOpenSignUp } from '../open.ts'

/** The right to create an account with this address. The key in an e-mail proves it. */
export interface Ticket {
  organization_id: OrganizationId
  email: string
  role: Role
  /** Null for a sign-up without an invitation, in an organization that is open to anyone. */
  invitation_id: InvitationId | null
  invited_by: UserId | null
  /** Whether the person entered the address, instead of the inviter. */
  is_sign_up: boolean
}

/** Finds the ticket of a key, from an invitation by e-mail or from a sign-up. */
export async function findTicket(db: Db, key_hash: Buffer): Promise<Ticket | undefined> {
  const { rows } = await sql<Ticket>`
    select i.organization_id, i.email, i.role, i.id as invitation_id, i.invited_by, false as is_sign_up
    from invitation i
    where i.key_hash = ${key_hash} and i.email is not null and ${isOpenInvitation('i')}
    union all
    select s.organization_id, s.email, coalesce(i.role, 400), i.id, i.invited_by, true
    from sign_up s
    join organization on organization.id = s.organization_id
    left join invitation i on i.organization_id = s.organization_id and i.id = s.invitation_id
    where s.key_hash = ${key_hash} and ${isOpenSignUp('s')}
      and case when s.invitation_id is null then not organization.invite_required else ${isOpenInvitation('i')} end`.execute(
    db,
  )
  return rows[0]
}

export async function listStreamsOfInvitation(
  db: Db,
  organization_id: OrganizationId,
  id: InvitationId,
): Promise<StreamId[]> {
  const rows = await db
    .selectFrom('invitation_stream')
    .select('stream_id')
    .where('organization_id', '=', organization_id)
    .where('invitation_id', '=', id)
    .execute()
  return rows.map(({ stream_id }) => stream_id)
}

export type Inviter = Pick<UserRow, 'id' | 'role' | 'full_name' | 'bot_type' | 'date_joined'>

export async function getInviter(db: Db, organization_id: OrganizationId, id: UserId): Promise<Inviter> {
  return db
    .selectFrom('user_account')
    .select(['id', 'role', 'full_name', 'bot_type', 'date_joined'])
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

/** Ends all other invitations and sign-ups of an address that now has an account. */
export async function endOtherTickets(tx: Tx, organization_id: OrganizationId, email: string): Promise<void> {
  for (const table of ['invitation', 'sign_up'] as const)
    await tx
      .updateTable(table)
      .set({ ended_at: sql`now()` })
      .where('organization_id', '=', organization_id)
      .where((eb) => eb(eb.fn('lower', ['email']), '=', email.toLowerCase()))
      .where('ended_at', 'is', null)
      .execute()
}

export async function insertInvitedUser(tx: Tx, values: Insertable<Tables['invited_user']>): Promise<void> {
  await tx.insertInto('invited_user').values(values).execute()
}

type NewSignUp = Insertable<Tables['sign_up']>

export async function insertSignUp(tx: Tx, values: NewSignUp): Promise<number> {
  const { id } = await tx.insertInto('sign_up').values(values).returning('id').executeTakeFirstOrThrow()
  return id
}

/**
 * Counts the organization's sign-ups of the last day: all of them, and those with this address
 * through the same link.
 */
export async function countSignUps(
  db: Db,
  { organization_id, email, invitation_id }: Pick<NewSignUp, 'organization_id' | 'email' | 'invitation_id'>,
): Promise<{ all: number; sameAddress: number }> {
  const { rows } = await sql<{ all: number; sameAddress: number }>`
    select count(*)::int as all, count(*) filter (
      where lower(email) = ${email.toLowerCase()} and invitation_id is not distinct from ${invitation_id}::bigint
    )::int as "sameAddress"
    from sign_up
    where organization_id = ${organization_id} and created_at > now() - interval '1 day'`.execute(db)
  return rows[0] ?? { all: 0, sameAddress: 0 }
}
