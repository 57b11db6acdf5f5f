import { ApiError, type api, type ParamsOf, type ResponseOf } from '@oxbow/contract'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { readDelivery } from '../scheduled/read-delivery.ts'
import { scheduleMessage } from '../scheduled/schedule-message.ts'
import { postMessage } from './post-message.ts'
import { normalizeType, parseDestination, readMessage } from './read-request.ts'

type Send = typeof api.messages.send
type SendParams = ParamsOf<Send>

/** Sends a message, or schedules it where the request asks for a later delivery. */
export async function sendMessage(app: App, actor: Actor, asked: SendParams): Promise<ResponseOf<Send>> {
  const given = { ...asked, type: normalizeType(asked.type) }
  const to = await parseDestination(app, actor, given)
  refuseUnsupportedOptions(actor, given)
  const delivery = await readDelivery(app, actor, given)
  const message = await readMessage(app, actor, given, to)
  const { queue_id, local_id, read_by_sender: isReadBySender, widget_content: widgetContent } = given
  if (delivery) {
    const { deliver_at } = delivery
    // A scheduled message has no id, and the protocol leaves the field out.
    const answer = () => ({ deliver_at }) as ResponseOf<Send>
    return scheduleMessage(app, actor, { ...message, ...delivery, widgetContent, isReadBySender }, answer)
  }
  const echo = queue_id === undefined || local_id === undefined ? undefined : { queue: queue_id, local_id }
  return { id: await postMessage(app, actor, { ...message, widgetContent, echo, isReadBySender }) }
}

/**
 * Refuses options of the protocol that this server does not support: sending for another user or
 * organization.
 */
function refuseUnsupportedOptions({ subdomain }: Actor, given: SendParams): void {
  const { forged, realm_str, sender } = given
  const isForged = forged === 'yes' || forged === 'true'
  const isForeign = realm_str !== undefined && realm_str !== subdomain
  if (isForged || isForeign) throw new ApiError('NOT_AUTHORIZED_FOR_QUERY')
  if (sender !== undefined) throw new ApiError('MIRRORED_MESSAGE_INVALID')
}
