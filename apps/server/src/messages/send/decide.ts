import { ApiError, allowedBy, type Decision, refusedBy } from '@oxbow/contract'
import { displayEmail } from '../../organization/display-email.ts'
import { type Actor, ActorChanged } from '../../platform/actor.ts'
import type { Config } from '../../platform/config/settings.ts'
import { decideToPost, findPostObjection, maySee } from '../../streams/access.ts'
import type { Membership, Poster } from '../../streams/membership.ts'
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

/** Refuses senders who may not post. Of a stream that they cannot see they learn nothing, neither by its name nor by its id. */
export function decideStream(
  sender: SenderFacts,
  stream: StreamFacts | null,
  named: string | number,
): StreamFacts {
  if (!stream || stream.is_archived) throw unknownStream(named)
  const { seen, poster } = viewOfPoster(sender, stream)
  const objection = findPostObjection(seen, poster)
  if (!objection) return stream
  throw isKnown(seen, poster) ? objection : unknownStream(named)
}

/** The same, without a word to anyone, and whether the sender knows of the stream. */
export function decidePosting(sender: SenderFacts, stream: StreamFacts): Decision & { isSeen: boolean } {
  const { seen, poster } = viewOfPoster(sender, stream)
  return { ...decideToPost(seen, poster), isSeen: isKnown(seen, poster) }
}

/** What the owner of a bot sees is no secret to the bot. */
const isKnown = (stream: Parameters<typeof maySee>[0], poster: Poster): boolean =>
  maySee(stream, poster) || (poster.owner !== undefined && maySee(stream, poster.owner))

function viewOfPoster({ role, is_new, owner }: SenderFacts, stream: StreamFacts) {
  const seen = { ...stream, archived_at: stream.is_archived ? new Date(0) : null }
  const own = { role, isNew: is_new, membership: membershipOf(stream.is_subscribed) }
  if (!owner) return { seen, poster: own }
  const { role: ownerRole, is_new: isNew, is_subscribed } = owner
  const poster = { ...own, owner: { role: ownerRole, isNew, membership: membershipOf(is_subscribed) } }
  return { seen, poster }
}

export function unknownStream(named: string | number): ApiError {
  return typeof named === 'number'
    ? new ApiError('STREAM_ID_DOES_NOT_EXIST', { stream_id: named })
    : new ApiError('STREAM_DOES_NOT_EXIST', { stream: named })
}

const disabled = 2

/** Private messages to these people, who may include the sender. */
export function decideConversation(
  { organization }: { organization: Pick<Facts['organization'], 'private_message_policy'> },
  sender: Pick<SenderFacts, 'id' | 'bot_type'>,
  people: readonly Pick<PersonFacts, 'id' | 'bot_type' | 'is_active'>[],
): Decision {
  const others = people.filter(({ id }) => id !== sender.id)
  const isWithBot = sender.bot_type !== null || (others.length === 1 && others[0]?.bot_type !== null)
  if (organization.private_message_policy === disabled && !isWithBot)
    return refusedBy('private_messages_disabled')
  if (people.some(({ is_active }) => !is_active)) return refusedBy('recipient_deactivated')
  return allowedBy(isWithBot ? 'with_bot' : 'private_messages_allowed')
}

/** Refuses private messages that the organization or an account that is gone does not allow. */
export function decidePeople(
  config: Config,
  facts: Facts,
  sender: SenderFacts,
  people: readonly PersonFacts[],
): void {
  const { allowed, rule } = decideConversation(facts, sender, people)
  if (allowed) return
  if (rule === 'private_messages_disabled') throw new ApiError('PRIVATE_MESSAGES_DISABLED')
  const gone = people.find(({ is_active }) => !is_active) as PersonFacts
  throw new ApiError('RECIPIENT_DEACTIVATED', {
    email: displayEmail(config, { ...gone, ...facts.organization }),
  })
}
