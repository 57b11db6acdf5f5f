import { ApiError, allowedBy, type Decision, refusedBy } from '@oxbow/contract'
import { displayEmail } from '../../identity/accounts/public-account.ts'
import { errorForInvalidCredential } from '../../identity/authenticate.ts'
import { type Actor, ActorChanged } from '../../platform/actor.ts'
import type { Config } from '../../platform/config/settings.ts'
import { canSee, decideMayPost, decideMayStartTopics, findPostError } from '../../streams/access.ts'
import type { Membership, Poster } from '../../streams/membership.ts'
import type {
  Recipient,
  RecipientState,
  SenderState,
  SendPreconditions,
  TargetStream,
} from './preconditions.ts'

/**
 * Throws if the sender or the organization was deactivated, or if the key, session or role has
 * changed since the request was authenticated.
 */
export function checkSender(
  actor: Actor,
  { organization, sender }: Pick<SendPreconditions, 'organization' | 'sender'>,
): SenderState {
  if (!sender?.is_key_good) throw new ApiError(errorForInvalidCredential(actor.credential))
  if (organization.is_deactivated) throw new ApiError('ORGANIZATION_DEACTIVATED')
  if (!sender.is_active) throw new ApiError('ACCOUNT_DEACTIVATED')
  if (sender.role !== actor.role) throw new ActorChanged()
  return sender
}

/**
 * Returns the stream or the people to send to. Throws if the sender may not send there. A reply may be
 * sent to every stream that is not archived.
 */
export function checkDestination(
  config: Config,
  preconditions: SendPreconditions,
  sender: SenderState,
  recipient: Recipient & { isReply?: boolean | undefined },
): TargetStream | readonly RecipientState[] {
  if (recipient.kind === 'stream') {
    const { stream } = preconditions
    if (recipient.isReply && stream && !stream.is_archived) return stream
    return checkStreamDestination(preconditions, sender, recipient.stream)
  }
  const people = preconditions.people ?? []
  checkConversationDestination(config, preconditions, sender, people)
  return people
}

const membershipOf = (isSubscribed: boolean | null): Membership =>
  isSubscribed === null ? 'never' : isSubscribed ? 'in' : 'left'

/**
 * Throws if the sender may not post to the stream. A sender who cannot see the stream gets the same
 * error as for an unknown stream name or id.
 */
function checkStreamDestination(
  preconditions: SendPreconditions,
  sender: SenderState,
  named: string | number,
): TargetStream {
  const { stream } = preconditions
  if (!stream || stream.is_archived) throw buildUnknownStreamError(named)
  const { seen, poster } = describePoster(preconditions, sender, stream)
  const postError = findPostError(seen, poster)
  if (!postError) return stream
  throw isVisibleToPoster(seen, poster) ? postError : buildUnknownStreamError(named)
}

/** The facts that the functions below evaluate. */
type Groups = Pick<SendPreconditions, 'groups'>

/** Decides whether the sender may post to the stream and whether the sender can see it. */
export function decidePosting(
  facts: Groups,
  sender: SenderState,
  stream: TargetStream,
): Decision & { isSeen: boolean } {
  const { seen, poster } = describePoster(facts, sender, stream)
  return { ...decideMayPost(seen, poster), isSeen: isVisibleToPoster(seen, poster) }
}

/** Decides whether a sender who may post to the stream may start topics there. */
export const decideStartingTopics = (facts: Groups, sender: SenderState, stream: TargetStream): Decision =>
  decideMayStartTopics(stream, describePoster(facts, sender, stream).poster)

/**
 * Returns whether the poster may learn that the stream exists. A bot may learn of every stream that
 * its owner can see.
 */
const isVisibleToPoster = (stream: Parameters<typeof canSee>[0], poster: Poster): boolean =>
  canSee(stream, poster) || (poster.owner !== undefined && canSee(stream, poster.owner))

function describePoster({ groups }: Groups, { owner, ...sender }: SenderState, stream: TargetStream) {
  const describe = (
    { id, role, is_new }: Pick<SenderState, 'id' | 'role' | 'is_new'>,
    isIn: boolean | null,
  ) => ({
    id,
    role,
    isNew: is_new,
    groups: groups?.[id] ?? [],
    membership: membershipOf(isIn),
  })
  const poster: Poster = {
    ...describe(sender, stream.is_subscribed),
    ...(owner && { owner: describe(owner, owner.is_subscribed) }),
  }
  return { seen: { ...stream, archived_at: stream.is_archived ? new Date(0) : null }, poster }
}

export function buildUnknownStreamError(named: string | number): ApiError {
  return typeof named === 'number'
    ? new ApiError('STREAM_ID_DOES_NOT_EXIST', { stream_id: named })
    : new ApiError('STREAM_DOES_NOT_EXIST', { stream: named })
}

const privateMessagesDisabled = 2

/** Decides whether the sender may write to these people, who may include the sender. */
export function decideConversation(
  { organization }: { organization: Pick<SendPreconditions['organization'], 'private_message_policy'> },
  sender: Pick<SenderState, 'id' | 'bot_type'>,
  people: readonly Pick<RecipientState, 'id' | 'bot_type' | 'is_active'>[],
): Decision {
  const others = people.filter(({ id }) => id !== sender.id)
  const isWithBot = sender.bot_type !== null || (others.length === 1 && others[0]?.bot_type !== null)
  if (organization.private_message_policy === privateMessagesDisabled && !isWithBot)
    return refusedBy('private_messages_disabled')
  if (people.some(({ is_active }) => !is_active)) return refusedBy('recipient_deactivated')
  return allowedBy(isWithBot ? 'with_bot' : 'private_messages_allowed')
}

/** Throws if the organization disables private messages or a recipient is deactivated. */
function checkConversationDestination(
  config: Config,
  preconditions: SendPreconditions,
  sender: SenderState,
  people: readonly RecipientState[],
): void {
  const { allowed, rule } = decideConversation(preconditions, sender, people)
  if (allowed) return
  if (rule === 'private_messages_disabled') throw new ApiError('PRIVATE_MESSAGES_DISABLED')
  const deactivated = people.find(({ is_active }) => !is_active) as RecipientState
  throw new ApiError('RECIPIENT_DEACTIVATED', {
    email: displayEmail(config, { ...deactivated, ...preconditions.organization }),
  })
}
