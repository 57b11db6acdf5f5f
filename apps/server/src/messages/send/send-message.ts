import { ApiError, type api, BotType, type ParamsOf, type ResponseOf } from '@oxbow/contract'
import { findCachedWebhookSecret, findNewestWebhookSecret } from '../../identity/accounts/webhook-secret.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { checkStreamName } from '../../streams/names.ts'
import { checkContent, checkTopic, lengthRuleFor } from '../content/message-text.ts'
import { readDelivery } from '../scheduled/read-delivery.ts'
import { scheduleMessage } from '../scheduled/schedule-message.ts'
import { findDefaultSendingStream } from './default-stream.ts'
import { type OutgoingMessage, postMessage } from './post-message.ts'
import type { Recipient } from './preconditions.ts'

type Send = typeof api.messages.send
type SendParams = ParamsOf<Send>

/** Sends a message, or schedules it if the request contains a later delivery time. */
export async function sendMessage(app: App, actor: Actor, params: SendParams): Promise<ResponseOf<Send>> {
  await refuseBotWithSecret(app, actor)
  const request = { ...params, type: normalizeType(params.type) }
  const to = await parseDestination(app, actor, request)
  refuseUnsupportedOptions(actor, request)
  const delivery = request.delivery_type === undefined ? undefined : await readDelivery(app, actor, request)
  const message = readMessage(actor, request, to)
  const { queue_id, local_id, read_by_sender: isReadBySender, widget_content: widgetContent } = request
  if (delivery) {
    const { deliver_at } = delivery
    // A scheduled message has no id, so the response lacks the field.
    const buildResponse = () => ({ deliver_at }) as ResponseOf<Send>
    return scheduleMessage(
      app,
      actor,
      { ...message, ...delivery, widgetContent, isReadBySender },
      buildResponse,
    )
  }
  const echo = queue_id === undefined || local_id === undefined ? undefined : { queue: queue_id, local_id }
  return { id: await postMessage(app, actor, { ...message, widgetContent, echo, isReadBySender }) }
}

/**
 * Refuses bots that accept only signed deliveries: their key is in URLs, and knowing a URL must not
 * be enough to post.
 */
export async function refuseBotWithSecret(app: App, actor: Actor): Promise<void> {
  if (actor.bot_type !== BotType.incomingWebhook) return
  if ((await findCachedWebhookSecret(app, actor)) === undefined) return
  if ((await findNewestWebhookSecret(app, actor)) !== undefined) throw new ApiError('BOT_POSTS_ONLY_SIGNED')
}

/**
 * Refuses protocol options that this server does not support: sending as another user or to another
 * organization.
 */
function refuseUnsupportedOptions({ subdomain }: Actor, request: SendParams): void {
  const { forged, realm_str, sender } = request
  const isForged = forged === 'yes' || forged === 'true'
  const isForeign = realm_str !== undefined && realm_str !== subdomain
  if (isForged || isForeign) throw new ApiError('NOT_AUTHORIZED_FOR_QUERY')
  if (sender !== undefined) throw new ApiError('MIRRORED_MESSAGE_INVALID')
}

/** A message as specified in a request. */
export interface MessageRequest {
  type: string
  to: unknown
  topic: string | undefined
  content: string
}

/** The parsed `to`: a stream, people, or undefined if no stream was given. */
export type NamedDestination = string | number | readonly string[] | readonly number[] | undefined

/** Maps the message types of newer protocol versions to the names used here. */
const newerTypeNames: Readonly<Record<string, string>> = { channel: 'stream', direct: 'private' }

export const normalizeType = (type: string): string =>
  Object.hasOwn(newerTypeNames, type) ? (newerTypeNames[type] as string) : type

/** Parses the parameter `to` of a request. The message type must be normalized. */
export async function parseDestination(
  app: App,
  actor: Actor,
  { type, to }: Pick<MessageRequest, 'type' | 'to'>,
): Promise<NamedDestination> {
  if (type !== 'stream') return parsePeople(to)
  return parseStream(to) ?? (await findDefaultSendingStream(app.db, actor))
}

/**
 * Checks the parts of a message that do not depend on the rights of its sender or on settings. The
 * type must be normalized.
 */
export function readMessage(
  actor: Actor,
  request: Omit<MessageRequest, 'to'>,
  to: NamedDestination,
): Pick<OutgoingMessage, 'recipient' | 'topic' | 'content'> {
  const { recipient, topic } = readRecipient(actor, request, to)
  const content = checkContent(request.content, lengthRuleFor(actor))
  if (recipient.kind === 'stream' && typeof recipient.stream === 'string') checkStreamName(recipient.stream)
  return { recipient, topic, content }
}

function readRecipient(
  actor: Actor,
  { type, topic }: Pick<MessageRequest, 'type' | 'topic'>,
  to: NamedDestination,
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
  const people = to as readonly string[] | readonly number[]
  if (people.length === 0) throw new ApiError('RECIPIENTS_MISSING')
  return { recipient: { kind: 'people', people }, topic: '' }
}

/**
 * Parses the `to` of a stream message: a name, an id, or a list that contains one name or id.
 * Returns undefined if `to` is absent.
 */
function parseStream(to: unknown): string | number | undefined {
  if (to === undefined) return undefined
  if (Array.isArray(to) && to.length !== 1) throw new ApiError('ONE_STREAM_EXPECTED')
  const named: unknown = Array.isArray(to) ? to[0] : to
  if (typeof named !== 'string' && !Number.isInteger(named)) throw new ApiError('STREAM_TYPE_INVALID')
  return named as string | number
}

/**
 * Parses the `to` of a private message: addresses separated by commas, a list of addresses, or a
 * list of ids.
 */
function parsePeople(to: unknown): readonly string[] | readonly number[] {
  const named: unknown = typeof to === 'string' ? to.split(',') : (to ?? [])
  if (!Array.isArray(named)) throw new ApiError('RECIPIENTS_TYPE_INVALID')
  const [first] = named as unknown[]
  if (first === undefined) return []
  if (typeof first === 'string') return requireSameType(named, isText).flatMap((email) => email.trim() || [])
  if (Number.isInteger(first)) return requireSameType(named, (item): item is number => Number.isInteger(item))
  throw new ApiError('RECIPIENTS_TYPE_INVALID')
}

const isText = (item: unknown): item is string => typeof item === 'string'

function requireSameType<Item>(items: unknown[], isExpected: (item: unknown) => item is Item): Item[] {
  if (!items.every(isExpected)) throw new ApiError('RECIPIENTS_MIXED')
  return [...new Set(items)]
}
