import { ApiError, type api, type ParamsOf } from '@oxbow/contract'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { Delivery } from '../platform/delivery.ts'
import { getIntegration } from './access.ts'
import { keepFailure } from './failures/keep-failure.ts'
import { handleDelivery } from './handle-delivery.ts'

type Params = ParamsOf<typeof api.webhooks.deliver>

/** The answer of almost all of them. */
const nothing = Object.freeze({})

/** What is refused is kept for the owner of the bot: its sender will hardly read the answer. */
export async function deliver(
  app: App,
  actor: Actor,
  { integration: name }: Params,
  delivery: Delivery,
): Promise<object> {
  const integration = await getIntegration(name)
  try {
    const { answer } = await handleDelivery(app, actor, { name, integration, delivery })
    return answer ?? nothing
  } catch (error) {
    if (error instanceof ApiError) await keepFailure(app, actor, { name, integration, delivery }, error)
    throw error
  }
}
