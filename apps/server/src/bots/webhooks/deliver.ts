import { ApiError, type api, type ParamsOf } from '@oxbow/contract'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Delivery } from '../../platform/http/delivery.ts'
import { getIntegration } from './access.ts'
import { saveFailure } from './failures/save-failure.ts'
import { handleDelivery } from './handle-delivery.ts'

type Params = ParamsOf<typeof api.webhooks.deliver>

/** The response to almost all deliveries. */
const emptyResponse = Object.freeze({})

/**
 * Handles a delivery. Saves refused deliveries for the bot's owner, because usually nobody reads
 * the responses that the service gets.
 */
export async function deliver(
  app: App,
  actor: Actor,
  { integration: name }: Params,
  delivery: Delivery,
): Promise<object> {
  const integration = await getIntegration(name)
  try {
    const { responseFields: response } = await handleDelivery(app, actor, { name, integration, delivery })
    return response ?? emptyResponse
  } catch (error) {
    if (error instanceof ApiError) await saveFailure(app, actor, { name, integration, delivery }, error)
    throw error
  }
}
