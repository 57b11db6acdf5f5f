import { ApiError, type api, type ParamsOf, type ResponseOf } from '@oxbow/contract'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { UserRow, WebhookFailureRow } from '../../platform/database/tables.ts'
import type { Delivery } from '../../platform/delivery.ts'
import { readDeliveryForm } from '../../platform/http/delivery-form.ts'
import { accessBot, getIntegration } from '../access.ts'
import { type Handled, handleDelivery } from '../handle-delivery.ts'
import { told } from './keep-failure.ts'
import { deleteFailure, findFailure, updateReason } from './queries.ts'

type Replay = typeof api.webhooks.replayFailure

/** The same way as the first time, for whoever mended what was in it. */
export async function replayFailure(
  app: App,
  actor: Actor,
  { bot_id, failure_id }: ParamsOf<Replay>,
): Promise<ResponseOf<Replay>> {
  const bot = await accessBot(app.db, actor, bot_id)
  const failure = await findFailure(app.db, bot, failure_id)
  if (!failure) throw new ApiError('NO_SUCH_WEBHOOK_FAILURE')
  const delivery = await deliveryOf(failure)
  const { integration: name } = failure
  const handling = { name, integration: await getIntegration(name), delivery, replayed: failure }
  const handled = await orRefused(handleDelivery(app, actingAs(actor, bot), handling))
  if (handled instanceof ApiError) {
    const { code, reason } = told(handled)
    await updateReason(app.db, failure, { code, reason })
    return { outcome: 'refused', message_ids: [], code, reason }
  }
  await deleteFailure(app.db, failure)
  return { outcome: 'delivered', message_ids: handled.messageIds }
}

async function deliveryOf({ body, is_signed, headers, query }: WebhookFailureRow): Promise<Delivery> {
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

/** What it says is the bot's, whoever has it said. */
function actingAs(
  { subdomain, origin, address, legacyNames, legacyVersions, client }: Actor,
  account: UserRow,
): Actor {
  const { organization_id, id, role, bot_type, api_key_hash } = account
  const { bot_owner_id: owner_id, delivery_email: email, full_name } = account
  const bot = { owner_id, email, full_name }
  return {
    subdomain,
    origin,
    address,
    legacyNames,
    legacyVersions,
    client,
    organization_id,
    user_id: id,
    role,
    bot_type,
    api_key_hash,
    bot,
  }
}

function orRefused(handling: Promise<Handled>): Promise<Handled | ApiError> {
  return handling.catch((error: unknown) => {
    if (error instanceof ApiError) return error
    throw error
  })
}
