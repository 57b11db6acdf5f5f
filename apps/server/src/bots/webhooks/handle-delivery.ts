import { ApiError, type MessageId } from '@oxbow/contract'
import type { Integration, Messages, Outcome } from '@oxbow/integrations'
import { findCachedWebhookSecret, findNewestWebhookSecret } from '../../identity/accounts/webhook-secret.ts'
import { notifyBotOwner, type OwnerNotice } from '../../messages/send/notify-bot-owner.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Delivery } from '../../platform/http/delivery.ts'
import { code, joinTexts, notice } from '../../streams/notice-text.ts'
import { findSignatureRefusal } from './check-signature.ts'
import { parseEventFilter } from './event-filters.ts'
import { getArgument } from './read-payload.ts'
import { type DeliveryRequest, sendMessages } from './send-messages.ts'
import { type Translated, translateDelivery } from './translate-delivery.ts'

export interface DeliveryResult {
  messageIds: MessageId[]
  /** The response body that the sender expects, if any. */
  responseFields?: object | undefined
}

/** Turns a delivery into messages and sends them. Throws an `ApiError` if the delivery is refused. */
export async function handleDelivery(
  app: App,
  actor: Actor,
  handling: DeliveryRequest,
): Promise<DeliveryResult> {
  const { integration, delivery, replayed } = handling
  // The signature of a replayed delivery is not checked again: it is not saved, and only correctly
  // signed deliveries can be replayed.
  if (!replayed) await requireSignature(app, actor, handling)
  const { outcome, people, deliveryId } = await translateOrNotifyOwner(app, actor, handling)
  if (outcome.kind === 'ignored') return { messageIds: [] }
  if (outcome.kind !== 'messages') throw await refuseDelivery(app, actor, handling, outcome)
  const messages = applyFilters(integration, delivery, outcome)
  const messageIds = await sendMessages(app, actor, { ...handling, messages, people, deliveryId })
  return { messageIds, responseFields: outcome.responseFields }
}

async function requireSignature(
  app: App,
  actor: Actor,
  { integration, delivery }: DeliveryRequest,
): Promise<void> {
  const cached = await findCachedWebhookSecret(app, actor)
  if (!findSignatureRefusal(integration, cached, delivery)) return
  const refusal = findSignatureRefusal(integration, await findNewestWebhookSecret(app, actor), delivery)
  if (refusal) throw refusal
}

/** Notices to a bot's owner about deliveries that produce no message. */

const buildNotJsonNotice =
  ({ client }: Integration): OwnerNotice =>
  ({ email }) =>
    notice`Your bot ${code(email)} got something from ${client} that is not JSON. Please look at the settings of the webhook there: it has to send JSON.`

const buildMissingHeaderNotice =
  (name: string, { title }: Integration, header: string): OwnerNotice =>
  ({ full_name }) =>
    joinTexts(
      [
        notice`Your bot ${full_name} got something at ${code(`/api/v1/external/${name}`)} without the header ${code(header)}, which says what happened.`,
        notice`Most likely another service than ${title} was given this URL, or a version of ${title} that is too old.`,
        notice`[What to set up there](/integrations/${name}); if that does not help, please ask the administrators of your organization.`,
      ],
      ' ',
    )

const buildIncompletePayloadNotice =
  ({ title }: Integration, missingField: string): OwnerNotice =>
  ({ full_name }) =>
    notice`Your bot ${full_name} got something from ${title} that lacks ${code(missingField)}. Please look at the template of the message there.`

async function translateOrNotifyOwner(
  app: App,
  actor: Actor,
  { name, integration, delivery }: DeliveryRequest,
): Promise<Translated> {
  try {
    return await translateDelivery(app, actor, name, integration, delivery)
  } catch (error) {
    const isBadJson = error instanceof ApiError && error.is('INVALID_JSON')
    if (isBadJson && !integration.ignoresBadJson)
      await notifyBotOwner(app, actor, buildNotJsonNotice(integration))
    throw error
  }
}

/** Applies the URL's event filter, for integrations whose events have names. */
function applyFilters({ events }: Integration, delivery: Delivery, { messages }: Messages) {
  if (!events) return messages
  const mayPass = parseEventFilter((name) => getArgument(delivery, name))
  return messages.filter(({ event }) => event === undefined || mayPass(event))
}

async function refuseDelivery(
  app: App,
  actor: Actor,
  { name, integration, delivery }: DeliveryRequest,
  outcome: Exclude<Outcome, Messages | { kind: 'ignored' }>,
): Promise<ApiError> {
  const { title, nameInErrors: webhook_name = title, reportsMissingValues } = integration
  if (outcome.kind === 'unsupported')
    return new ApiError('UNEXPECTED_WEBHOOK_EVENT_TYPE', { webhook_name, event_type: outcome.event })
  const { reason } = outcome
  if ('text' in reason) return new ApiError('BAD_REQUEST', { text: reason.text })
  if ('header' in reason) {
    await notifyBotOwner(app, actor, buildMissingHeaderNotice(name, integration, reason.header))
    return new ApiError('MISSING_HTTP_EVENT_HEADER', {
      header: reason.header.toUpperCase().replaceAll('-', '_'),
    })
  }
  if ('missingField' in reason) {
    if (reportsMissingValues)
      await notifyBotOwner(app, actor, buildIncompletePayloadNotice(integration, reason.missingField))
    return new ApiError('ANOMALOUS_WEBHOOK_PAYLOAD', { webhook_name, lacks: reason.missingField })
  }
  const { option, value } = reason
  return getArgument(delivery, option) === undefined
    ? new ApiError('REQUEST_VARIABLE_MISSING', { var_name: option })
    : new ApiError('REQUEST_VARIABLE_INVALID', { var_name: option, bad_value: value })
}
