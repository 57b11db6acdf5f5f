import type { UserId } from '@oxbow/contract'
import { client } from '../client.ts'
import { onFollowed } from '../events.ts'
import { makeReader } from '../fact-reader.ts'

/** Everything the server returns about a person: address, time zone, owner of a bot, profile fields. */
export const detailsOf = makeReader(async (user_id: UserId) => {
  const { user } = await client.users.get({
    user_id,
    include_custom_profile_fields: true,
  })
  return user
})

/** Refetches the details of people whose account has changed. */
export function startPersonDetails(): void {
  onFollowed((followed) => {
    if (followed.kind === 'event' && followed.event.type === 'realm_user')
      detailsOf.refresh(followed.event.person.user_id)
  })
}
