import { ApiError, type api, type ParamsOf, type ResponseOf } from '@oxbow/contract'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { readDelivery } from '../scheduled/read-delivery.ts'
import { scheduleMessage } from '../scheduled/schedule-message.ts'
import { postMessage } from './post-message.ts'
import { normalizeType, parseDestination, readMessage } from './read-request.ts'

type Send = typeof api.messages.send
type SendParams = ParamsOf<Send>

/** Sends a message, or schedules it if the request contains a later delivery time. */
export async function sendMessage(app: App, actor: Actor, params: SendParams): Promise<ResponseOf<Send>> {
  const request = { ...params, type: normalizeType(params.type) }
  const to = await parseDestination(app, actor, request)
  refuseUnsupportedOptions(actor, request)
  const delivery = request.delivery_type === undefined ? undefined : await readDelivery(app, actor, request)
  const message = await readMessage(app, actor, request, to)
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
