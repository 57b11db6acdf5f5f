import { type OrganizationId, type PersonChange, Role, type UserId } from '@oxbow/contract'
import type { Audience, Effect, Emission } from '../../events/record.ts'
import type { AvatarOwner } from '../../identity/accounts/public-account.ts'
import { displayEmail, emailVisibility } from '../../identity/accounts/public-account.ts'
import type { viewPermissions } from '../../organization/permissions.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import type { ProvidedAvatars } from './event-shape.ts'
import type { ShownUser } from './queries.ts'
import { type ViewDependencies, viewAvatar, viewUser } from './views.ts'

type Account = Pick<UserRow, 'organization_id' | 'id'>
type Change<Variant = PersonChange> = Variant extends unknown ? Omit<Variant, 'user_id'> : never

const everyone: Audience = { roles: 'everyone' }
const administrators: Audience = { roles: [Role.owner, Role.administrator] }
const others: Audience = { roles: [Role.moderator, Role.member, Role.guest] }

/**
 * Builds the events for a new or reactivated account. If only administrators see addresses, they
 * get a separate record.
 */
export function userAdded(app: ViewDependencies, user: ShownUser, at: number): Emission[] {
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
  if (email_address_visibility !== emailVisibility.administrators)
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

/** Builds the event for a bot's new owner. Everyone gets it, because owners are public. */
export function botOwnerChanged(bot: Account, bot_owner_id: UserId): Emission {
  return changed(bot, { bot_owner_id })
}

/**
 * Builds the event for a new role. The user also gets the permissions of that role, so that clients
 * need not evaluate the policies.
 */
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

/** Builds the event for a deactivated user's new role. The role takes effect when the user is reactivated. */
export function roleOfInactiveChanged(user: Account, role: Role): Emission {
  return changed(user, { role })
}

export function timezoneChanged(user: Account, timezone: string): Emission {
  return changed(user, { timezone })
}

export interface ChangedValue {
  id: number
  /** Null if the value was cleared. */
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

/**
 * Sends the delivery address to the users who may see it, and the display address to everyone if it
 * changed.
 */
export function emailChanged(app: ViewDependencies, user: ShownUser): Emission[] {
  const { delivery_email, email_address_visibility } = user
  const mayAdministratorsSee = email_address_visibility === emailVisibility.administrators
  const new_email = displayEmail(app.config, user)
  return [
    {
      ...changed(user, { delivery_email }),
      to: { users: [user.id], ...(mayAdministratorsSee && administrators) },
    },
    ...(new_email === delivery_email ? [changed(user, { new_email })] : []),
  ]
}

/** Builds the event with a new avatar's URLs for everyone, including clients that could compute them. */
export function avatarChanged(app: ViewDependencies, user: AvatarOwner): Emission {
  return changed(user, { ...viewAvatar(app, user), avatar_version: user.avatar_version })
}

/** Invalidates the old key on all nodes. Clients get no event. */
export function keyChanged({ organization_id, id }: Account): Emission {
  return { organization_id, effects: [{ kind: 'credentials', user: id }] }
}

/** Invalidates cached data of the account on all nodes. Clients get no event. */
export function accountInvalidated({ organization_id, id }: Account): Emission {
  return { organization_id, effects: [{ kind: 'user', user: id }] }
}

type Addressee = Pick<UserRow, 'id' | 'delivery_email'>

/** Sends the delivery addresses of these users to one user; null for each if they are hidden now. */
export function emailsShownToViewer(
  { organization_id, id }: Account,
  users: readonly Addressee[],
  isSeen: boolean,
): Emission {
  return manyChanged(organization_id, users.map(deliveryEmail(isSeen)), { users: [id] })
}

/**
 * Sends the delivery addresses of these users to all administrators; null for each if they are
 * hidden now.
 */
export function emailsShownToAdministrators(
  organization_id: OrganizationId,
  users: readonly Addressee[],
  isSeen: boolean,
): Emission {
  return manyChanged(organization_id, users.map(deliveryEmail(isSeen)), administrators)
}

const deliveryEmail =
  (isSeen: boolean) =>
  ({ id, delivery_email }: Addressee) => ({ user_id: id, delivery_email: isSeen ? delivery_email : null })

/** Builds the event for these users' changed display addresses. */
export function shownEmailsChanged(
  organization_id: OrganizationId,
  people: readonly { id: UserId; email: string }[],
): Emission {
  const changes = people.map(({ id, email }) => ({ user_id: id, new_email: email }))
  return manyChanged(organization_id, changes, everyone)
}

/** Sends URLs of avatars to clients that computed them and no longer can. */
export function avatarsProvided(organization_id: OrganizationId, avatars: ProvidedAvatars): Emission {
  return {
    organization_id,
    event: { type: 'realm_user', op: 'update', avatars },
    to: everyone,
    eventCount: avatars.of.length,
  }
}

/** Builds one record that becomes one event per person; see `event-shape.ts`. */
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
