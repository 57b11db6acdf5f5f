import type { OrganizationId, UserId } from '@oxbow/contract'
import type { EventShape } from '../events/event-shape.ts'
import { avatarUrl } from '../organization/avatar.ts'
import type { Secrets } from '../platform/secrets.ts'

/** Pictures of people who uploaded none, in a short form. The text between id and version is for older nodes. */
export interface ProvidedAvatars {
  provider: string
  /** Absent in records of older nodes. */
  organization_id?: OrganizationId
  of: readonly (readonly [id: UserId, path: string, version: number])[]
}

/**
 * One record may tell of many people: of addresses that someone comes to see or no longer sees, and of pictures whose
 * URLs clients cannot compute any more. Those are for clients that did.
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
