import type { ProfileField } from '@oxbow/contract'
import { client } from '../client/client.ts'
import { applyOptimistically, type PendingEvent } from '../client/pending.ts'
import { getOwnId } from '../client/store.ts'

/** Uploads the user's avatar; the server crops it to a square. */
export const uploadAvatar = (file: File): Promise<unknown> =>
  client.users.setAvatar({ files: [{ name: file.name, bytes: file }] })

/** Replaces the user's avatar by the default one, which the server draws. */
export const removeAvatar = (): Promise<unknown> => client.users.clearAvatar()

/** Sets a value of the user's profile; an empty value removes it. Throws the server's refusal. */
export const changeProfileValue = (
  { id }: Pick<ProfileField, 'id'>,
  value: string | readonly number[],
): Promise<unknown> => {
  const isEmpty = value.length === 0
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const event: PendingEvent = {
    type: 'realm_user',
    op: 'update',
    person: { user_id: getOwnId(), custom_profile_field: { id, value: isEmpty ? null : text } },
  }
  return applyOptimistically([event], (options) =>
    isEmpty
      ? client.users.clearProfileData({ data: [id] }, options)
      : client.users.setProfileData({ data: [{ id, value: value as string }] }, options),
  )
}
