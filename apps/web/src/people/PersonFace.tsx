import './PersonFace.css'
import type { UserId } from '@oxbow/contract'
import { avatarOf, nameOf } from '../client/people/names.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { PresenceDot } from '../ui/PresenceDot.tsx'
import { usePresence } from './use-presence.ts'

/** The avatar of a person, with a presence dot. */
export function PersonFace({ user_id, size = 'm' }: { user_id: UserId; size?: 's' | 'm' | 'l' }) {
  const presence = usePresence(user_id)
  return (
    <span class={`PersonFace PersonFace-${size}`}>
      <Avatar user_id={user_id} url={avatarOf(user_id)} name={nameOf(user_id)} size={size} />
      {presence && <PresenceDot availability={presence.availability} />}
    </span>
  )
}
