import { type OrganizationId, type PersonChange, Role, type UserId } from '@oxbow/contract'
import type { Audience, Effect, Emission } from '../events/record.ts'
import type { AvatarOwner } from '../organization/avatar.ts'
import { displayEmail, visibleTo } from '../organization/display-email.ts'
import type { viewPermissions } from '../organization/permissions.ts'
import type { UserRow } from '../platform/database/tables.ts'
import type { ProvidedAvatars } from './event-shape.ts'
import type { ShownUser } from './queries.ts'
import { type Viewing, viewAvatar, viewUser } from './views.ts'

type Account = Pick<UserRow, 'organization_id' | 'id'>
type Change<Variant = PersonChange> = Variant extends unknown ? Omit<Variant, 'user_id'> : never

const everyone: Audience = { roles: 'everyone' }
const administrators: Audience = { roles: [Role.owner, Role.administrator] }
const others: Audience = { roles: [Role.member, Role.guest] }

/** The account is new or active again. Where only administrators see addresses, they are told more than others. */
export function userAdded(app: Viewing, user: ShownUser, at: number): Emission[] {
  const { organization_id, id, role, email_address_visibility } = user
  const seenBy = (viewerRole: Role) => ({
    type: 'realm_user',
    op: 'add',
    person: viewUser(app, user, { viewerRole, clientComputesAvatars: false, withProfile: true }),
  })
  const effects: Effect[] = [
    { kind: 'role', user: id, role, at },
    { kind: 'user', user: id },
  ]
  if (email_address_visibility !== visibleTo.administrators)
    return [{ organization_id, event: seenBy(Role.member), to: everyone, effects }]
  return [
    { organization_id, event: seenBy(Role.administrator), to: administrators, effects },
    { organization_id, event: seenBy(Role.member), to: others },
  ]
}

export function userDeactivated(
  { organization_id, id, full_name }: Account & Pick<UserRow, 'full_name'>,
  at: number,
): Emission {
  return {
    organization_id,
    event: { type: 'realm_user', op: 'remove', person: { user_id: id, full_name } },
    to: everyone,
    effects: [
      { kind: 'role', user: id, role: null, at },
      { kind: 'user', user: id },
    ],
  }
}

export function userRenamed(user: Account, full_name: string): Emission {
  return changed(user, { full_name })
}

/** Everyone knows who answers for a bot. */
export function botOwnerChanged(bot: Account, bot_owner_id: UserId): Emission {
  return changed(bot, { bot_owner_id })
}

/** The person learns what the new role lets them do, so that their client need not know the policies. */
export function roleChanged(
  user: Account,
  role: Role,
  at: number,
  permissions: ReturnType<typeof viewPermissions>,
): Emission {
  return {
    ...changed(user, { role }),
    parts: { [user.id]: permissions },
    effects: [
      { kind: 'role', user: user.id, role, at },
      { kind: 'user', user: user.id },
    ],
  }
}

/** Of someone deactivated: it counts when they come back. */
export function roleOfInactiveChanged(user: Account, role: Role): Emission {
  return changed(user, { role })
}

export function timezoneChanged(user: Account, timezone: string): Emission {
  return changed(user, { timezone })
}

export interface ChangedValue {
  id: number
  /** Null: cleared. */
  value: string | null
  rendered_value?: string | null
}

export function profileValueChanged(
  owner: Account,
  { id, value, rendered_value = null }: ChangedValue,
): Emission {
  const custom_profile_field = { id, value, ...(rendered_value !== null && { rendered_value }) }
  return changed(owner, { custom_profile_field } as Change)
}

/** The real address to those who see it, and the one for the API to everyone. */
export function emailChanged(app: Viewing, user: ShownUser): Emission[] {
  const { delivery_email, email_address_visibility } = user
  const mayAdministratorsSee = email_address_visibility === visibleTo.administrators
  const new_email = displayEmail(app.config, user)
  return [
    {
      ...changed(user, { delivery_email }),
      to: { users: [user.id], ...(mayAdministratorsSee && administrators) },
    },
    ...(new_email === delivery_email ? [changed(user, { new_email })] : []),
  ]
}

/** To everyone with real URLs, also to those who could compute them. */
export function avatarChanged(app: Viewing, user: AvatarOwner): Emission {
  return changed(user, { ...viewAvatar(app, user), avatar_version: user.avatar_version })
}

/** For nodes only: whoever uses the old key must stop. */
export function keyChanged({ organization_id, id }: Account): Emission {
  return { organization_id, effects: [{ kind: 'credentials', user: id }] }
}

/** For nodes only: what they remember of the account is no longer so. */
export function accountForgotten({ organization_id, id }: Account): Emission {
  return { organization_id, effects: [{ kind: 'user', user: id }] }
}

type Addressee = Pick<UserRow, 'id' | 'delivery_email'>

/** To someone who comes to see these addresses, or no longer does. */
export function sightOfEmailsChanged(
  { organization_id, id }: Account,
  users: readonly Addressee[],
  isSeen: boolean,
): Emission {
  return manyChanged(organization_id, users.map(deliveryEmail(isSeen)), { users: [id] })
}

/** To all administrators, who come to see these addresses, or no longer do. */
export function sightOfAdministratorsChanged(
  organization_id: OrganizationId,
  users: readonly Addressee[],
  isSeen: boolean,
): Emission {
  return manyChanged(organization_id, users.map(deliveryEmail(isSeen)), administrators)
}

const deliveryEmail =
  (isSeen: boolean) =>
  ({ id, delivery_email }: Addressee) => ({ user_id: id, delivery_email: isSeen ? delivery_email : null })

/** The addresses that the API knows these people by from now on. */
export function shownEmailsChanged(
  organization_id: OrganizationId,
  people: readonly { id: UserId; email: string }[],
): Emission {
  const changes = people.map(({ id, email }) => ({ user_id: id, new_email: email }))
  return manyChanged(organization_id, changes, everyone)
}

/** To clients that computed the URLs of these pictures and no longer can. */
export function avatarsProvided(organization_id: OrganizationId, avatars: ProvidedAvatars): Emission {
  return {
    organization_id,
    event: { type: 'realm_user', op: 'update', avatars },
    to: everyone,
    eventCount: avatars.of.length,
  }
}

/** One record, which is an event for each of them; see `event-shape.ts`. */
function manyChanged(organization_id: OrganizationId, persons: readonly object[], to: Audience): Emission {
  return {
    organization_id,
    event: { type: 'realm_user', op: 'update', persons },
    to,
    eventCount: persons.length,
  }
}

function changed({ organization_id, id }: Account, change: Change): Emission {
  return {
    organization_id,
    event: { type: 'realm_user', op: 'update', person: { user_id: id, ...change } },
    to: everyone,
    effects: [{ kind: 'user', user: id }],
  }
}
