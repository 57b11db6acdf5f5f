import { type OrganizationId, Role, roles, type UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import { emit } from '../../events/emit.ts'
import type { Audience, Emission, GuestAudience } from '../../events/record.ts'
import type { Tx } from '../../platform/database/database.ts'
import { limitsGuests } from './sight.ts'

/** All roles but that of guests. */
export const notGuests = roles.filter((role) => role !== Role.guest)

/**
 * Emits events about a person. In an organization that limits the sight of guests, audiences of roles are
 * restricted to the guests who see the person. Call it after the change of the person was written.
 */
export async function emitAbout(
  tx: Tx,
  person: { organization_id: OrganizationId; id: UserId },
  emissions: readonly Emission[],
): Promise<void> {
  const [audience] = await findGuestAudiences(tx, person.organization_id, [person.id])
  for (const emission of emissions)
    emit(tx, audience && emission.to ? { ...emission, to: restrictToSight(emission.to, audience) } : emission)
}

/** Replaces the guests of an audience of roles by those of `guests`. */
function restrictToSight(to: Audience, guests: GuestAudience): Audience {
  if (to.roles === 'everyone') return { ...to, roles: notGuests, guests }
  if (!to.roles?.includes(Role.guest)) return to
  return { ...to, roles: to.roles.filter((role) => role !== Role.guest), guests }
}

/**
 * Returns the audience of those who see each of these accounts, in their order; none if the organization does
 * not limit the sight of guests. It expresses `selectInSight` from the side of the person who is seen. Locks
 * the accounts, so that nobody begins or ceases to see them before the transaction ends.
 */
export async function findGuestAudiences(
  tx: Tx,
  organization_id: OrganizationId,
  people: readonly UserId[],
): Promise<GuestAudience[]> {
  if (people.length === 0 || !(await limitsGuests(tx, organization_id))) return []
  await lockSeen(tx, organization_id, people)
  const { rows } = await sql<{ id: UserId; streams: number[]; users: UserId[] }>`
    select person.id, array(
        select s.stream_id from subscription s
        where s.organization_id = ${organization_id} and s.user_id = person.id and s.is_active
        order by 1) as streams,
      array(
        select person.id
        union select guest.id from conversation_member own
          join conversation c on c.organization_id = own.organization_id and c.id = own.conversation_id
          join user_account guest on guest.organization_id = own.organization_id
            and guest.id = any(c.members) and guest.role = ${sql.lit(Role.guest)}
          where own.organization_id = ${organization_id} and own.user_id = person.id
        union select u.bot_owner_id from user_account u
          where u.organization_id = ${organization_id} and u.id = person.id and u.bot_owner_id is not null
        union select bot.id from user_account bot
          where bot.organization_id = ${organization_id} and bot.bot_owner_id = person.id) as users
    from unnest(${people}::bigint[]) with ordinality as person (id, position) order by position`.execute(tx)
  return rows.map(({ streams, users }) => ({ streams, users }))
}

/**
 * Locks accounts for an event about them or about who sees them, in the order of ids. Every such event takes
 * the lock, so the second of two concurrent ones finds what the first has written.
 */
export async function lockSeen(
  tx: Tx,
  organization_id: OrganizationId,
  people: readonly UserId[],
): Promise<void> {
  await sql`
    select from user_account where organization_id = ${organization_id} and id = any(${people}::bigint[])
    order by id for no key update`.execute(tx)
}
