import { type OrganizationId, Role, type UserId } from '@oxbow/contract'
import type { EmittedEvent, EventShape, Loaded } from '../../events/event-shape.ts'
import { parseEvent } from '../../events/record.ts'
import { avatarUrl } from '../../identity/accounts/public-account.ts'
import type { Db } from '../../platform/database/database.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import { listShownUsersById, type ShownUser } from './queries.ts'
import { type ViewDependencies, viewUser } from './views.ts'

/**
 * The part of a record about avatars of many users who have not uploaded one. The URLs are computed
 * at delivery, to keep the record small.
 */
export interface ProvidedAvatars {
  /** Only nodes of older releases read this field and `path`. */
  provider: string
  /** Absent in records of older nodes. */
  organization_id?: OrganizationId
  of: readonly (readonly [id: UserId, path: string, version: number])[]
}

/**
 * Renders `realm_user` events. A record with `persons` (addresses that become visible or hidden), with
 * `avatars`, or with users who `appeared` to guests or `disappeared`, describes many users and becomes
 * one event for each. Avatars are rendered only for clients that computed the URLs from addresses
 * (`client_external_avatar`) and no longer can.
 */
export const userEventShape = (app: ViewDependencies): EventShape => ({
  type: 'realm_user',
  variant: ({ client_external_avatar }) => (client_external_avatar ? 'computes avatars' : ''),
  load(db, organization_id, record) {
    const { appeared, disappeared } = parseEvent(record)
    if (appeared) return loadAppeared(app, db, organization_id, appeared as UserId[])
    return disappeared ? loadDisappeared(db, organization_id, disappeared as UserId[]) : undefined
  },
  render(event, variant, loaded) {
    const { persons, avatars, ...single } = event
    if (event.appeared ?? event.disappeared) return renderLoaded(event, loaded)
    if (avatars) {
      return variant === ''
        ? []
        : renderAvatars(app.secrets, avatars as ProvidedAvatars).map((person) => ({ ...single, person }))
    }
    if (!Array.isArray(persons)) return [event]
    return persons.map((person: object) => ({ ...single, person }))
  },
})

/**
 * Loads users as they are now, which may be later than the record. The client gets the changes in between
 * as events, too.
 */
async function loadAppeared(
  app: ViewDependencies,
  db: Db,
  organization_id: OrganizationId,
  ids: readonly UserId[],
): Promise<Loaded> {
  const view = { viewerRole: Role.guest, clientComputesAvatars: false, withProfile: true }
  const users = await listShownUsersById(db, organization_id, ids, true)
  return new Map(users.map((user) => [user.id, JSON.stringify(listEvents(user))]))

  /** A deactivated user appears as an active one does, and is deactivated at once. */
  function listEvents(user: ShownUser): object[] {
    const { id: user_id, full_name, is_active } = user
    const added = { op: 'add', person: viewUser(app, user, view) }
    return is_active ? [added] : [added, { op: 'remove', person: { user_id, full_name } }]
  }
}

async function loadDisappeared(
  db: Db,
  organization_id: OrganizationId,
  ids: readonly UserId[],
): Promise<Loaded> {
  const users = await listShownUsersById(db, organization_id, ids, false)
  return new Map(
    users.map(({ id: user_id, full_name }) => [
      user_id,
      JSON.stringify([{ op: 'remove', person: { user_id, full_name, is_hidden: true } }]),
    ]),
  )
}

function renderLoaded({ type }: EmittedEvent, loaded: Loaded | undefined): object[] {
  const events = [...(loaded?.values() ?? [])].flatMap((text) => JSON.parse(text) as object[])
  return events.map((event) => ({ type, ...event }))
}

function renderAvatars(secrets: Secrets, { organization_id, of }: ProvidedAvatars): object[] {
  if (organization_id === undefined) return []
  return of.map(([id, , avatar_version]) => {
    const user = { organization_id, id, avatar_source: 'external' as const, avatar_version }
    return {
      user_id: id,
      avatar_source: 'G',
      avatar_url: avatarUrl({ secrets }, user),
      avatar_url_medium: avatarUrl({ secrets }, user, 'medium'),
      avatar_version,
    }
  })
}
