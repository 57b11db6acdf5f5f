import { anything, bodyHmac, integration } from '../../writing.ts'
import { options } from './delivery.ts'
import { translateWith, translators } from './translators.ts'

export const service = integration({
  title: 'Gogs',
  client: 'Gogs',
  category: 'Version control',
  signature: bodyHmac('X-Gogs-Signature'),
  eventHeader: { name: 'X-Gogs-Event' },
  deliveryId: { header: 'X-Gogs-Delivery' },
  events: [...translators.keys()],
  options,
  payload: anything,
  translate: (delivery) => translateWith(translators, delivery),
})
