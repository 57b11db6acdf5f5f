import type { UserId } from '@oxbow/contract'
import type { EventShape } from '../events/event-shape.ts'
import { providedUrl } from '../organization/avatar.ts'

/** Pictures of a provider, each with how it knows the address and the version: a fifth of what the URLs would be. */
export interface ProvidedAvatars {
  provider: string
  of: readonly (readonly [id: UserId, digest: string, version: number])[]
}

/**
 * One record may tell of many people: of addresses that someone comes to see or no longer sees, and of pictures whose
 * URLs clients cannot compute any more. Those are for clients that did.
 */
export const userEventShape: EventShape = {
  type: 'realm_user',
  variant: ({ client_external_avatar }) => (client_external_avatar ? 'computes avatars' : ''),
  render(event, variant) {
    const { persons, avatars, ...single } = event
    if (avatars) {
      return variant === ''
        ? []
        : avatarsOf(avatars as ProvidedAvatars).map((person) => ({ ...single, person }))
    }
    if (!Array.isArray(persons)) return [event]
    return persons.map((person: object) => ({ ...single, person }))
  },
}

function avatarsOf({ provider, of }: ProvidedAvatars): object[] {
  return of.map(([user_id, digest, avatar_version]) => ({
    user_id,
    avatar_source: 'G',
    avatar_url: providedUrl(provider, digest, avatar_version),
    avatar_url_medium: providedUrl(provider, digest, avatar_version, 'medium'),
    avatar_version,
  }))
}
