import { z } from 'zod'
import { type Delivery, type Outcome, optional, text } from '../../writing.ts'

export const payload = z.looseObject({ webhookEvent: optional(text) })

type JiraDelivery = Delivery<z.output<typeof payload>, Record<never, never>>

export type Translator = (delivery: JiraDelivery) => Outcome
