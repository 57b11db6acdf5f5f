import { type RawBuilder, sql } from 'kysely'

/** How long a link of an invitation works after its last letter. */
export const invitationDays = 10
/** How long someone has to show that an address is theirs. */
export const signUpDays = 1

/**
 * Whether an invitation can be accepted: neither ended nor old, and whoever gave it could still give it. What someone
 * who left or lost a role has left behind lets nobody in, nor what members left once only administrators invite.
 */
export function isOpenInvitation(alias: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql<boolean>`(
    ${column('ended_at')} is null
    and ${column('invited_at')} > now() - make_interval(days => ${sql.lit(invitationDays)})
    and exists (
      select from user_account inviter
      where inviter.organization_id = ${column('organization_id')} and inviter.id = ${column('invited_by')}
        and inviter.is_active
        and inviter.role <= least(${column('role')}, case when ${column('email')} is null then 200 else 400 end)
        and (inviter.role <= 200 or not (
          select rules.invite_by_admins_only from organization rules where rules.id = inviter.organization_id))
    ))`
}

export function isOpenSignUp(alias: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql<boolean>`(
    ${column('ended_at')} is null
    and ${column('created_at')} > now() - make_interval(days => ${sql.lit(signUpDays)}))`
}
