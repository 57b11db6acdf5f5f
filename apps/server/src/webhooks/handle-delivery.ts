import { ApiError, type MessageId } from '@oxbow/contract'
import type { Integration, Messages, Outcome } from '@oxbow/integrations'
import { notifyBotOwner } from '../messages/send/notify-bot-owner.ts'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { Delivery } from '../platform/delivery.ts'
import { checkSignature } from './check-signature.ts'
import { readEventFilter } from './event-filters.ts'
import { headerMissing, notJson, payloadLacks } from './notices.ts'
import { argumentOf } from './read-payload.ts'
import { getSecret } from './remembered-secrets.ts'
import { sendMessages } from './send-messages.ts'
import { type Translated, translateDelivery } from './translate-delivery.ts'

export interface Handling {
  /** Of the integration, as in the URL. */
  name: string
  integration: Integration
  delivery: Delivery
  /** What was refused before and is tried again. */
  replayed?: { id: number }
}

export interface Handled {
  messageIds: MessageId[]
  /** What the sender wants to read. */
  answer?: object | undefined
}

/** From what came to what is said, or a refusal. */
export async function handleDelivery(app: App, actor: Actor, handling: Handling): Promise<Handled> {
  const { integration, delivery, replayed } = handling
  // What was kept has no signature any more; it had the right one.
  if (integration.signature && !replayed) checkSignature(integration, await getSecret(app, actor), delivery)
  const { outcome, people, deliveryId } = await translateOrTell(app, actor, handling)
  if (outcome.kind === 'ignored') return { messageIds: [] }
  if (outcome.kind !== 'messages') throw await refuse(app, actor, handling, outcome)
  const messages = passFilters(integration, delivery, outcome)
  const messageIds = await sendMessages(app, actor, { ...handling, messages, people, deliveryId })
  return { messageIds, answer: outcome.answer }
}

async function translateOrTell(
  app: App,
  actor: Actor,
  { name, integration, delivery }: Handling,
): Promise<Translated> {
  try {
    return await translateDelivery(app, actor, name, integration, delivery)
  } catch (error) {
    const isBadJson = error instanceof ApiError && error.is('INVALID_JSON')
    if (isBadJson && !integration.isQuietAboutBadJson) await notifyBotOwner(app, actor, notJson(integration))
    throw error
  }
}

/** Only those whose events have names. */
function passFilters({ events }: Integration, delivery: Delivery, { messages }: Messages) {
  if (!events) return messages
  const mayPass = readEventFilter((name) => argumentOf(delivery, name))
  return messages.filter(({ event }) => event === undefined || mayPass(event))
}

async function refuse(
  app: App,
  actor: Actor,
  { name, integration, delivery }: Handling,
  outcome: Exclude<Outcome, Messages | { kind: 'ignored' }>,
): Promise<ApiError> {
  const { title, answersAs: webhook_name = title, tellsOwnerOfLacks } = integration
  if (outcome.kind === 'unsupported')
    return new ApiError('UNEXPECTED_WEBHOOK_EVENT_TYPE', { webhook_name, event_type: outcome.event })
  const { reason } = outcome
  if ('text' in reason) return new ApiError('BAD_REQUEST', { text: reason.text })
  if ('header' in reason) {
    await notifyBotOwner(app, actor, headerMissing(name, integration, reason.header))
    return new ApiError('MISSING_HTTP_EVENT_HEADER', {
      header: reason.header.toUpperCase().replaceAll('-', '_'),
    })
  }
  if ('lacks' in reason) {
    if (tellsOwnerOfLacks) await notifyBotOwner(app, actor, payloadLacks(integration, reason.lacks))
    return new ApiError('ANOMALOUS_WEBHOOK_PAYLOAD', { webhook_name, lacks: reason.lacks })
  }
  const { option, value } = reason
  return argumentOf(delivery, option) === undefined
    ? new ApiError('REQUEST_VARIABLE_MISSING', { var_name: option })
    : new ApiError('REQUEST_VARIABLE_INVALID', { var_name: option, bad_value: value })
}
