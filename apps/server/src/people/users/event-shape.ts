import type { OrganizationId, UserId } from '@oxbow/contract'
import type { EventShape } from '../../events/event-shape.ts'
import { avatarUrl } from '../../identity/accounts/public-account.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'

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
 * Renders `realm_user` events. A record with `persons` (addresses that become visible or hidden) or
 * with `avatars` describes many users and becomes one event for each. Avatars are rendered only for
 * clients that computed the URLs from addresses (`client_external_avatar`) and no longer can.
 */
export const userEventShape = (secrets: Secrets): EventShape => ({
  type: 'realm_user',
  variant: ({ client_external_avatar }) => (client_external_avatar ? 'computes avatars' : ''),
  render(event, variant) {
    const { persons, avatars, ...single } = event
    if (avatars) {
      return variant === ''
        ? []
        : renderAvatars(secrets, avatars as ProvidedAvatars).map((person) => ({ ...single, person }))
    }
    if (!Array.isArray(persons)) return [event]
    return persons.map((person: object) => ({ ...single, person }))
  },
})

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
