import { z } from 'zod'
import { code, line, number, type Outcome, optional, say, text, unscored } from '../../writing.ts'
import { showAmount } from './amount.ts'
import { changes } from './changes.ts'
import { type Happened, objectOf, topicOf } from './event.ts'
import { showObject } from './object.ts'

const charge = z.object({ id: text, amount: number, currency: text, failure_code: optional(text) })

export function sayCharge(happened: Happened): Outcome {
  const made = objectOf(charge, happened)
  const said = `${showObject(made)} for ${showAmount(made.amount, made.currency)} ${line(unscored(happened.event))}.`
  const failure = made.failure_code ? ` Failure code: ${code(made.failure_code)}.` : ''
  return say({
    event: happened.type,
    topic: topicOf(happened, 'charges'),
    content: [said + failure, changes(happened)].filter(Boolean).join('\n'),
  })
}

const dispute = z.object({ id: text, status: text })

export function sayDispute(happened: Happened): Outcome {
  const { id, status } = objectOf(dispute, happened)
  const said = `${showObject({ id })} ${line(unscored(happened.event))}. Its status is ${line(unscored(status))}.`
  return say({
    event: happened.type,
    topic: topicOf(happened, 'disputes'),
    content: [said, changes(happened)].filter(Boolean).join('\n'),
  })
}

const refund = z.object({ id: text, charge: optional(text), amount: number, currency: text })

export function sayRefund(happened: Happened): Outcome {
  const { id, charge, amount, currency } = objectOf(refund, happened)
  const paid = charge ? ` (${showObject({ id: charge })})` : ''
  const said = `${showObject({ id })} of ${showAmount(amount, currency)}${paid} ${line(unscored(happened.event))}.`
  return say({
    event: happened.type,
    topic: topicOf(happened, 'refunds'),
    content: [said, changes(happened)].filter(Boolean).join('\n'),
  })
}
