import { ApiError, BotType } from '@oxbow/contract'
import { displayEmail } from '../../organization/display-email.ts'
import { type Actor, ActorChanged } from '../../platform/actor.ts'
import type { Config } from '../../platform/config/settings.ts'
import { findPostObjection, maySee } from '../../streams/access.ts'
import type { Membership } from '../../streams/membership.ts'
import type { Facts, PersonFacts, SenderFacts, StreamFacts } from './facts.ts'

/** Refuses whoever is no longer what they were when the call was admitted. */
export function confirmSender(actor: Actor, sender: SenderFacts | null): SenderFacts {
  if (!sender?.is_key_good) throw new ApiError('INVALID_API_KEY')
  if (!sender.is_active) throw new ApiError('ACCOUNT_DEACTIVATED')
  if (sender.role !== actor.role) throw new ActorChanged()
  return sender
}

const membershipOf = (isSubscribed: boolean | null): Membership =>
  isSubscribed === null ? 'never' : isSubscribed ? 'in' : 'left'

/** Refuses whoever may not post. Whoever names a stream by an id that they cannot know learns nothing of it. */
export function decideStream(
  { role, is_new, owner, bot_type }: SenderFacts,
  stream: StreamFacts | null,
  named: string | number,
): StreamFacts {
  if (!stream) throw unknownStream(named)
  const seen = { ...stream, archived_at: stream.is_archived ? new Date(0) : null }
  const poster = { role, isNew: is_new, membership: membershipOf(stream.is_subscribed) }
  const posting = owner
    ? {
        ...poster,
        owner: { role: owner.role, isNew: owner.is_new, membership: membershipOf(owner.is_subscribed) },
      }
    : poster
  if (stream.is_archived) throw unknownStream(named)
  // They answer in conversations that others begin, wherever those are.
  if (bot_type === BotType.outgoingWebhook) return stream
  const objection = findPostObjection(seen, posting)
  if (!objection) return stream
  throw typeof named === 'number' && !maySee(seen, poster) ? unknownStream(named) : objection
}

export function unknownStream(named: string | number): ApiError {
  return typeof named === 'number'
    ? new ApiError('STREAM_ID_DOES_NOT_EXIST', { stream_id: named })
    : new ApiError('STREAM_DOES_NOT_EXIST', { stream: named })
}

const disabled = 2

/** Refuses private messages that the organization or an account that is gone does not allow. */
export function decidePeople(
  config: Config,
  { organization }: Facts,
  sender: SenderFacts,
  people: readonly PersonFacts[],
): void {
  const others = people.filter(({ id }) => id !== sender.id)
  const isWithBot = sender.bot_type !== null || (others.length === 1 && others[0]?.bot_type !== null)
  if (organization.private_message_policy === disabled && !isWithBot)
    throw new ApiError('PRIVATE_MESSAGES_DISABLED')
  const gone = people.find(({ is_active }) => !is_active)
  if (gone)
    throw new ApiError('RECIPIENT_DEACTIVATED', {
      email: displayEmail(config, { ...gone, ...organization }),
    })
}
