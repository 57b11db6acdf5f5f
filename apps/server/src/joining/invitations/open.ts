import { type RawBuilder, sql } from 'kysely'

/** Days for which an invitation is valid after its last e-mail. */
export const invitationDays = 10
/** Days within which a person who signs up must confirm the address. */
export const signUpDays = 1

/**
 * SQL condition: an invitation can be accepted. It has neither ended nor expired, and the inviter
 * is active, has at least the role that the invitation grants, and may still invite people.
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
