import {
  allOf,
  api,
  type Decision,
  type Endpoint,
  isAdministrator,
  refusedBy,
  type StreamId,
} from '@oxbow/contract'
import { decidePosting, decideStartingTopics } from '../../messages/send/check-destination.ts'
import {
  readSendPreconditions,
  type SenderState,
  type SendPreconditions,
  type TargetStream,
} from '../../messages/send/preconditions.ts'
import { decideMayCreateStreams } from '../../organization/permissions.ts'
import { decideCall } from '../../platform/http/bind.ts'
import { canSee, decideAccess, decideMayChange, decideMaySee, toViewer } from '../../streams/access.ts'
import { decideHistory } from '../../streams/history.ts'
import { findStreamById, loadActors, type StreamWithMembership } from '../../streams/queries.ts'
import { decideMayAddPeople } from '../../streams/subscriptions/check-subscribe.ts'
import type { Explain, Explanation, ExplanationFacts, Question } from './question.ts'

const { subscriptions, streams, messages } = api

export const explainSeeing: Explain = (question) =>
  explainStream(question, streams.list, (stream) => decideMaySee(stream, toViewer(question.account, stream)))

export const explainHistory: Explain = (question) =>
  explainStream(question, messages.list, (stream) =>
    decideHistory(stream, toViewer(question.account, stream)),
  )

export const explainSubscribing: Explain = (question) =>
  explainStream(question, subscriptions.subscribe, (stream) =>
    decideAccess(stream, toViewer(question.account, stream)),
  )

export const explainAddingSubscribers: Explain = async (question) => {
  const { app, account, organization } = question
  const { organization_id, id: user_id } = account
  const { invite_to_stream_policy, waiting_period_threshold } = organization
  const actors = await loadActors(app.db, { organization_id, user_id })
  return explainStream(
    question,
    subscriptions.subscribe,
    (stream) =>
      allOf(
        decideAccess(stream, toViewer(account, stream)),
        decideMayAddPeople(organization, stream, account, actors),
      ),
    { invite_to_stream_policy, waiting_period_threshold },
  )
}

export const explainEditingStream: Explain = (question) =>
  explainStream(question, streams.update, decideMayChange)
export const explainArchiving: Explain = (question) =>
  explainStream(question, streams.archive, decideMayChange)

export const explainCreating: Explain = ({ account, organization }) => {
  const { create_stream_policy, waiting_period_threshold } = organization
  return {
    decision: allOf(
      decideCall(account, subscriptions.subscribe),
      decideMayCreateStreams(organization, account),
    ),
    facts: { create_stream_policy, waiting_period_threshold },
  }
}

/**
 * Explains posting to a stream. Does not check whether the account may call the endpoint:
 * incoming-webhook bots may not, but they post through integrations.
 */
export const explainPosting: Explain = (question) => explainSending(question)

/** Explains sending to a topic that does not exist yet. */
export const explainStartingTopic: Explain = (question) =>
  explainSending(question, ({ preconditions, sender, stream }) =>
    decideStartingTopics(preconditions, sender, stream),
  )

interface Sending {
  preconditions: SendPreconditions
  sender: SenderState
  stream: TargetStream
}

async function explainSending(
  question: Question,
  decideMore?: (sending: Sending) => Decision,
): Promise<Explanation> {
  const { app, account, asker, organization, params } = question
  const { organization_id, id: user_id } = account
  const writer = { organization_id, user_id, credential: null }
  const { preconditions } = await readSendPreconditions(app.db, writer, {
    stream: params.stream_id as StreamId,
  })
  const { sender, stream } = preconditions
  if (!sender || !stream) return unknownStream
  const { isSeen, ...posting } = decidePosting(preconditions, sender, stream)
  if (!posting.allowed && !isSeen && !isAdministrator(asker.role)) return unknownStream
  return {
    decision: decideMore ? allOf(posting, decideMore({ preconditions, sender, stream })) : posting,
    facts: {
      stream_post_policy: stream.stream_post_policy,
      invite_only: stream.invite_only,
      is_subscribed: stream.is_subscribed,
      waiting_period_threshold: organization.waiting_period_threshold,
      is_new: sender.is_new,
      ...(sender.owner && { owner_role: sender.owner.role, is_owner_subscribed: sender.owner.is_subscribed }),
    },
  }
}

/**
 * Explains an action on a stream. If the account may not call the endpoint at all, the explanation
 * says so, whether or not the stream exists. A stream that the account cannot see is explained like
 * a missing one, unless an administrator asks.
 */
async function explainStream(
  { app, asker, account, params }: Question,
  endpoint: Endpoint,
  decide: (stream: StreamWithMembership) => Decision,
  more: ExplanationFacts = {},
): Promise<Explanation> {
  const call = decideCall(account, endpoint)
  if (!call.allowed) return { decision: call }
  const { organization_id, id: user_id } = account
  const stream = await findStreamById(app.db, { organization_id, user_id }, params.stream_id as StreamId)
  if (!stream) return unknownStream
  const isHidden = !isAdministrator(asker.role) && !canSee(stream, toViewer(account, stream))
  if (isHidden) return unknownStream
  const { invite_only, history_public_to_subscribers, membership, archived_at } = stream
  return {
    decision: decide(stream),
    facts: {
      membership,
      invite_only,
      history_public_to_subscribers,
      is_archived: archived_at !== null,
      ...more,
    },
  }
}

const unknownStream: Explanation = { decision: refusedBy('stream_unknown') }
