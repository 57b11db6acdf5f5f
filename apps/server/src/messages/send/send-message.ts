import { ApiError, type api, type ParamsOf, type ResponseOf } from '@oxbow/contract'
import { getOrganization } from '../../organization/queries.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { checkStreamName } from '../../streams/names.ts'
import { checkContent, checkTopic, lengthRuleFor, noTopic } from '../content/draft.ts'
import { findDefaultSendingStream } from './default-stream.ts'
import { postMessage } from './post-message.ts'
import { parsePeople, parseStream, type Recipient } from './recipients.ts'

type Send = typeof api.messages.send
type SendParams = ParamsOf<Send>

/** Maps the message types of later protocol levels to the names used here. */
const newerTypeNames: Readonly<Record<string, string>> = { channel: 'stream', direct: 'private' }

export async function sendMessage(app: App, actor: Actor, asked: SendParams): Promise<ResponseOf<Send>> {
  const type = Object.hasOwn(newerTypeNames, asked.type) ? (newerTypeNames[asked.type] as string) : asked.type
  const given = { ...asked, type }
  const to =
    given.type === 'stream'
      ? (parseStream(given.to) ?? (await findDefaultSendingStream(app.db, actor)))
      : parsePeople(given.to)
  refuseUnsupportedOptions(actor, given)
  const { recipient, topic } = parseRecipient(actor, given, to)
  const content = checkContent(given.content, lengthRuleFor(actor))
  if (topic === noTopic) await refuseIfTopicsRequired(app, actor)
  if (recipient.kind === 'stream' && typeof recipient.stream === 'string') checkStreamName(recipient.stream)
  const { queue_id, local_id, read_by_sender: isReadBySender } = given
  const echo = queue_id === undefined || local_id === undefined ? undefined : { queue: queue_id, local_id }
  return { id: await postMessage(app, actor, { recipient, topic, content, echo, isReadBySender }) }
}

/**
 * Reads the setting only for messages without a topic, which are rare; all other preconditions are
 * read by the send itself.
 */
async function refuseIfTopicsRequired({ db }: App, { organization_id }: Actor): Promise<void> {
  const { mandatory_topics } = await getOrganization(db, organization_id)
  if (mandatory_topics) throw new ApiError('TOPICS_REQUIRED')
}

/**
 * Refuses options of the protocol that this server does not support: sending for another user or
 * organization, scheduling, and widgets.
 */
function refuseUnsupportedOptions({ subdomain }: Actor, given: SendParams): void {
  const { forged, realm_str, sender, delivery_type, widget_content } = given
  const isForged = forged === 'yes' || forged === 'true'
  const isForeign = realm_str !== undefined && realm_str !== subdomain
  if (isForged || isForeign) throw new ApiError('NOT_AUTHORIZED_FOR_QUERY')
  if (sender !== undefined) throw new ApiError('MIRRORED_MESSAGE_INVALID')
  if (delivery_type === 'send_later' || delivery_type === 'remind')
    throw new ApiError('SCHEDULING_NOT_SUPPORTED')
  if (widget_content !== undefined)
    throw new ApiError('WIDGET_INVALID', { problem: 'this server has none yet' })
}

function parseRecipient(
  actor: Actor,
  { type, topic }: SendParams,
  to: ReturnType<typeof parseStream> | ReturnType<typeof parsePeople>,
): { recipient: Recipient; topic: string } {
  if (type === 'stream') {
    if (to === undefined) throw new ApiError('STREAM_MISSING')
    if (topic === undefined) throw new ApiError('TOPIC_MISSING')
    return {
      recipient: { kind: 'stream', stream: to as string | number },
      topic: checkTopic(topic, lengthRuleFor(actor)),
    }
  }
  if (type !== 'private') throw new ApiError('INVALID_MESSAGE_TYPE')
  const people = to as ReturnType<typeof parsePeople>
  if (people.length === 0) throw new ApiError('RECIPIENTS_MISSING')
  return { recipient: { kind: 'people', people }, topic: '' }
}
