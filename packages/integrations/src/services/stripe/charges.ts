import { z } from 'zod'
import {
  code,
  line,
  number,
  type Outcome,
  optional,
  postMessages,
  replaceUnderscores,
  text,
} from '../../writing.ts'
import { showAmount } from './amount.ts'
import { changes } from './changes.ts'
import { chooseTopic, readObject, type StripeEvent } from './event.ts'
import { showObject } from './object.ts'

const charge = z.object({ id: text, amount: number, currency: text, failure_code: optional(text) })

export function translateCharge(stripeEvent: StripeEvent): Outcome {
  const chargeObject = readObject(charge, stripeEvent)
  const headline = `${showObject(chargeObject)} for ${showAmount(chargeObject.amount, chargeObject.currency)} ${line(replaceUnderscores(stripeEvent.event))}.`
  const failure = chargeObject.failure_code ? ` Failure code: ${code(chargeObject.failure_code)}.` : ''
  return postMessages({
    event: stripeEvent.type,
    topic: chooseTopic(stripeEvent, 'charges'),
    content: [headline + failure, changes(stripeEvent)].filter(Boolean).join('\n'),
  })
}

const dispute = z.object({ id: text, status: text })

export function translateDispute(stripeEvent: StripeEvent): Outcome {
  const { id, status } = readObject(dispute, stripeEvent)
  const headline = `${showObject({ id })} ${line(replaceUnderscores(stripeEvent.event))}. Its status is ${line(replaceUnderscores(status))}.`
  return postMessages({
    event: stripeEvent.type,
    topic: chooseTopic(stripeEvent, 'disputes'),
    content: [headline, changes(stripeEvent)].filter(Boolean).join('\n'),
  })
}

const refund = z.object({ id: text, charge: optional(text), amount: number, currency: text })

export function translateRefund(stripeEvent: StripeEvent): Outcome {
  const { id, charge, amount, currency } = readObject(refund, stripeEvent)
  const paid = charge ? ` (${showObject({ id: charge })})` : ''
  const headline = `${showObject({ id })} of ${showAmount(amount, currency)}${paid} ${line(replaceUnderscores(stripeEvent.event))}.`
  return postMessages({
    event: stripeEvent.type,
    topic: chooseTopic(stripeEvent, 'refunds'),
    content: [headline, changes(stripeEvent)].filter(Boolean).join('\n'),
  })
}
