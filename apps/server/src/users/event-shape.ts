import type { OrganizationId, UserId } from '@oxbow/contract'
import { avatarUrl } from '../accounts/avatar.ts'
import type { EventShape } from '../events/event-shape.ts'
import type { Secrets } from '../platform/secrets.ts'

/** Avatars of users without an upload, in short form. Only older nodes read `path`. */
export interface ProvidedAvatars {
  provider: string
  /** Absent in records of older nodes. */
  organization_id?: OrganizationId
  of: readonly (readonly [id: UserId, path: string, version: number])[]
}

/**
 * Renders `realm_user` events. One record may describe many users and becomes one event for each:
 * addresses that a viewer gains or loses sight of, and avatars whose URLs clients can no longer
 * compute. The latter are delivered only to clients that computed them.
 */
export const userEventShape = (secrets: Secrets): EventShape => ({
  type: 'realm_user',
  variant: ({ client_external_avatar }) => (client_external_avatar ? 'computes avatars' : ''),
  render(event, variant) {
    const { persons, avatars, ...single } = event
    if (avatars) {
      return variant === ''
        ? []
        : avatarsOf(secrets, avatars as ProvidedAvatars).map((person) => ({ ...single, person }))
    }
    if (!Array.isArray(persons)) return [event]
    return persons.map((person: object) => ({ ...single, person }))
  },
})

function avatarsOf(secrets: Secrets, { organization_id, of }: ProvidedAvatars): object[] {
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
