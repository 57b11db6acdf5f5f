import { z } from 'zod'
import { branches } from '../../git/options.ts'
import { type Delivery, id, type Outcome, optional, text } from '../../writing.ts'

export const options = { branches }

export const payload = z.looseObject({
  eventType: text,
  subscriptionId: optional(id),
  notificationId: optional(id),
})

type AzureDelivery = Delivery<z.output<typeof payload>, typeof options>

export type Translator = (delivery: AzureDelivery) => Outcome
