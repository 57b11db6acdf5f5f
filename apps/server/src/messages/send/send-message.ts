import { ApiError, type api, type ParamsOf, type ResponseOf } from '@oxbow/contract'
import { getOrganization } from '../../organization/queries.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { checkStreamName } from '../../streams/names.ts'
import { checkContent, checkTopic, lengthRuleFor, noTopic } from '../content/draft.ts'
import { findDefaultSendingStream } from './default-stream.ts'
import { post } from './post.ts'
import { type Recipient, readPeople, readStream } from './recipients.ts'

type Send = typeof api.messages.send
type Given = ParamsOf<Send>

/** Types of messages by the names that they have at later levels of the protocol. */
const laterTypes: Readonly<Record<string, string>> = { channel: 'stream', direct: 'private' }

export async function sendMessage(app: App, actor: Actor, asked: Given): Promise<ResponseOf<Send>> {
  const type = Object.hasOwn(laterTypes, asked.type) ? (laterTypes[asked.type] as string) : asked.type
  const given = { ...asked, type }
  const to =
    given.type === 'stream'
      ? (readStream(given.to) ?? (await findDefaultSendingStream(app.db, actor)))
      : readPeople(given.to)
  refuseWhatIsNotOffered(actor, given)
  const { recipient, topic } = readRecipient(actor, given, to)
  const content = checkContent(given.content, lengthRuleFor(actor))
  if (topic === noTopic) await refuseIfTopicsRequired(app, actor)
  if (recipient.kind === 'stream' && typeof recipient.stream === 'string') checkStreamName(recipient.stream)
  const { queue_id, local_id, read_by_sender: isReadBySender } = given
  const echo = queue_id === undefined || local_id === undefined ? undefined : { queue: queue_id, local_id }
  return { id: await post(app, actor, { recipient, topic, content, echo, isReadBySender }) }
}

/** Asked only about messages without one, which are few: what decides about all others is read with the send itself. */
async function refuseIfTopicsRequired({ db }: App, { organization_id }: Actor): Promise<void> {
  const { mandatory_topics } = await getOrganization(db, organization_id)
  if (mandatory_topics) throw new ApiError('TOPICS_REQUIRED')
}

/** Sending for others or for another organization is for programs that this server does not have, scheduling yet to come. */
function refuseWhatIsNotOffered({ subdomain }: Actor, given: Given): void {
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

function readRecipient(
  actor: Actor,
  { type, topic }: Given,
  to: ReturnType<typeof readStream> | ReturnType<typeof readPeople>,
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
  const people = to as ReturnType<typeof readPeople>
  if (people.length === 0) throw new ApiError('RECIPIENTS_MISSING')
  return { recipient: { kind: 'people', people }, topic: '' }
}
