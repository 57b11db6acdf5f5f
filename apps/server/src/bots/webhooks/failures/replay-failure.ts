import { ApiError, type api, type ParamsOf, type ResponseOf } from '@oxbow/contract'
import type { Actor } from '../../../platform/actor.ts'
import type { App } from '../../../platform/app.ts'
import type { UserRow, WebhookFailureRow } from '../../../platform/database/tables.ts'
import type { Delivery } from '../../../platform/http/delivery.ts'
import { getIntegration, loadAccessibleBot } from '../access.ts'
import { readDeliveryForm } from '../delivery-form.ts'
import { type DeliveryResult, handleDelivery } from '../handle-delivery.ts'
import { canReplay } from './access.ts'
import { deleteFailure, findFailure, updateReason } from './queries.ts'
import { viewError } from './save-failure.ts'

type Replay = typeof api.webhooks.replayFailure

/** Handles a saved delivery again, in the same way as the first time. */
export async function replayFailure(
  app: App,
  actor: Actor,
  { bot_id, failure_id }: ParamsOf<Replay>,
): Promise<ResponseOf<Replay>> {
  const bot = await loadAccessibleBot(app.db, actor, bot_id)
  const failure = await findFailure(app.db, bot, failure_id)
  if (!failure) throw new ApiError('NO_SUCH_WEBHOOK_FAILURE')
  if (!canReplay(failure, bot, actor.user_id)) throw new ApiError('INSUFFICIENT_PERMISSION')
  const delivery = await rebuildDelivery(failure)
  const { integration: name } = failure
  const handling = { name, integration: await getIntegration(name), delivery, replayed: failure }
  const handled = await catchRefusal(handleDelivery(app, toBotActor(actor, bot), handling))
  if (handled instanceof ApiError) {
    const { code, reason } = viewError(handled)
    await updateReason(app.db, failure, { code, reason })
    return { outcome: 'refused', message_ids: [], code, reason }
  }
  await deleteFailure(app.db, failure)
  return { outcome: 'delivered', message_ids: handled.messageIds }
}

async function rebuildDelivery({ body, is_signed, headers, query }: WebhookFailureRow): Promise<Delivery> {
  if (!is_signed) throw new ApiError('WEBHOOK_FAILURE_UNSIGNED')
  if (!body) throw new ApiError('WEBHOOK_FAILURE_INCOMPLETE')
  const contentType = headers['content-type']
  return {
    body,
    contentType,
    query: new Map(new URLSearchParams(query)),
    form: await readDeliveryForm(body, contentType),
    header: (name) => headers[name.toLowerCase()],
  }
}

/**
 * Returns the bot as the actor, because the bot sends the messages, regardless of the user who
 * replays the delivery.
 */
function toBotActor(
  { subdomain, origin, address, legacyNames, legacyVersions, generation, client }: Actor,
  account: UserRow,
): Actor {
  const { organization_id, id, role, bot_type, api_key_hash: hash } = account
  const { bot_owner_id: owner_id, delivery_email: email, full_name } = account
  const bot = { owner_id, email, full_name }
  return {
    subdomain,
    origin,
    address,
    legacyNames,
    legacyVersions,
    generation,
    client,
    organization_id,
    user_id: id,
    role,
    bot_type,
    credential: { kind: 'key', hash },
    bot,
  }
}

function catchRefusal(handling: Promise<DeliveryResult>): Promise<DeliveryResult | ApiError> {
  return handling.catch((error: unknown) => {
    if (error instanceof ApiError) return error
    throw error
  })
}
