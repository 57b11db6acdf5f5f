import {
  ApiError,
  allOf,
  allowedBy,
  api,
  type Decision,
  type Endpoint,
  type MessageId,
  Role,
  refusedBy,
  type StreamId,
  type UserId,
} from '@oxbow/contract'
import { filterSeen } from '../../identity/accounts/sight.ts'
import { type AccessedMessage, accessMessage } from '../../messages/access.ts'
import { decideMayDelete } from '../../messages/delete/delete-message.ts'
import { decideEditing, decideMayEdit } from '../../messages/edit/check-edit.ts'
import { decideMayMove } from '../../messages/edit/check-move.ts'
import { loadMessageRights } from '../../messages/rights.ts'
import { decideConversation } from '../../messages/send/check-destination.ts'
import { readSendPreconditions } from '../../messages/send/preconditions.ts'
import { decideMayResolveTopics } from '../../organization/permissions.ts'
import { decideCall } from '../../platform/http/bind.ts'
import { listStreamsById, loadActors } from '../../streams/queries.ts'
import type { Explain, Explanation, Question } from './question.ts'

const { messages } = api
const toEditor = ({ account: { id, role } }: Question) => ({ user_id: id, role })

export const explainEditingMessage: Explain = (question) => explainEdit(question, { content: '' })
export const explainEditingTopic: Explain = (question) => explainEdit(question, {})

export const explainResolving: Explain = (question) => {
  const { organization, account } = question
  const { resolve_topics_policy, waiting_period_threshold } = organization
  return explainMessage(question, messages.edit, async (message) => ({
    decision: (await loadRights(question, message))('can_resolve_topics_group')
      ? allowedBy('stream_right')
      : decideMayResolveTopics(organization, account),
    facts: { resolve_topics_policy, waiting_period_threshold },
  }))
}

export const explainMoving: Explain = (question) =>
  explainEdit(question, {}, async (message) => {
    const { app, account, params } = question
    const { organization_id, id: user_id } = account
    const ids = [message.recipient_id, params.stream_id] as StreamId[]
    const found = await listStreamsById(app.db, { organization_id, user_id }, ids)
    const [from, to] = ids.map((id) => found.find((stream) => stream.id === id))
    const key = { organization_id, user_id }
    const [actors, gives] = [await loadActors(app.db, key), await loadMessageRights(app.db, key, message)]
    return decideMayMove({ ...actors, gives }, message.is_private ? undefined : from, to)
  })

export const explainDeleting: Explain = (question) => {
  const { organization } = question
  const { allow_message_deleting, message_content_delete_limit_seconds } = organization
  return explainMessage(question, messages.remove, async (message) => ({
    decision: decideMayDelete(organization, toEditor(question), message, await loadRights(question, message)),
    facts: {
      ...listMessageFacts(question, message),
      allow_message_deleting,
      message_content_delete_limit_seconds,
    },
  }))
}

/** Explains sending private messages to `other_user_id`, or to oneself by default. */
export const explainWriting: Explain = async ({ app, asker, account, organization, params }) => {
  const call = decideCall(account, messages.send)
  if (!call.allowed) return { decision: call }
  const { organization_id, id: user_id } = account
  const people = [...new Set([user_id, params.other_user_id ?? user_id])].sort((a, b) => a - b) as UserId[]
  const seen = await filterSeen(app.db, asker, people)
  if (seen.size < people.length) throw new ApiError('NO_SUCH_USER')
  const writer = { organization_id, user_id, credential: null }
  const { preconditions } = await readSendPreconditions(app.db, writer, { people })
  if (!preconditions.sender || preconditions.people?.length !== people.length)
    throw new ApiError('NO_SUCH_USER')
  return {
    decision: decideConversation(preconditions, preconditions.sender, preconditions.people),
    facts: { private_message_policy: organization.private_message_policy },
  }
}

async function explainEdit(
  question: Question,
  edit: { content?: string },
  more?: (message: AccessedMessage) => Promise<Decision>,
): Promise<Explanation> {
  const { organization } = question
  const { allow_message_editing, message_content_edit_limit_seconds, allow_community_topic_editing } =
    organization
  const rules = { allow_message_editing, message_content_edit_limit_seconds, allow_community_topic_editing }
  // If editing is disabled, the message need not be read.
  const editing = decideEditing(organization)
  if (!editing.allowed) return { decision: editing, facts: rules }
  return explainMessage(question, messages.edit, async (message) => {
    const gives = await loadRights(question, message)
    const decision = decideMayEdit(organization, toEditor(question), message, edit, gives)
    return {
      decision: more && decision.allowed ? allOf(decision, await more(message)) : decision,
      facts: { ...listMessageFacts(question, message), ...rules },
    }
  })
}

const loadRights = ({ app, account: { organization_id, id } }: Question, message: AccessedMessage) =>
  loadMessageRights(app.db, { organization_id, user_id: id }, message)

const listMessageFacts = ({ account }: Question, { sender_id, age }: AccessedMessage) => ({
  is_own: sender_id === account.id,
  age_seconds: Math.floor(age),
})

/** Explains an action on a message. Throws if the asking user cannot read the message. */
async function explainMessage(
  { app, asker, account, params }: Question,
  endpoint: Endpoint,
  explain: (message: AccessedMessage) => Explanation | Promise<Explanation>,
): Promise<Explanation> {
  const call = decideCall(account, endpoint)
  if (!call.allowed) return { decision: call }
  const id = params.message_id as MessageId
  if (asker.user_id !== account.id) await accessMessage(app.db, asker, id)
  const { organization_id, id: user_id, role } = account
  const message = await accessMessage(app.db, { organization_id, user_id, role }, id).catch(ignoreUnknown)
  if (!message) return { decision: refusedBy('message_unknown') }
  if (message.can_reach_stream) return explain(message)
  return { decision: refusedBy(role === Role.guest ? 'guest_outside_stream' : 'stream_private') }
}

function ignoreUnknown(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error
}
