import { z } from 'zod'
import {
  anything,
  bold,
  bullets,
  count,
  ignore,
  line,
  number,
  type Outcome,
  optional,
  postMessages,
  read,
  replaceUnderscores,
  text,
} from '../../writing.ts'
import { changes } from './changes.ts'
import { describePlainly } from './describe.ts'
import { chooseTopic, readObject, type StripeEvent } from './event.ts'
import { showObject, showPage } from './object.ts'

const withId = z.object({ id: text })

/** Fields that change with every payment and need no message. */
const ignoredFields = ['delinquent', 'currency', 'default_source']

export function translateCustomer(stripeEvent: StripeEvent): Outcome {
  const { id } = readObject(withId, stripeEvent)
  const details =
    stripeEvent.event === 'created' ? describe(stripeEvent) : changes(stripeEvent, ignoredFields)
  if (stripeEvent.event === 'updated' && details === '') return ignore()
  const headline = `${showObject({ id })} ${line(replaceUnderscores(stripeEvent.event))}.`
  return postMessages({
    event: stripeEvent.type,
    topic: id,
    content: [headline, details].filter(Boolean).join('\n'),
  })
}

const createdCustomer = z.object({ email: optional(text), metadata: optional(anything) })

function describe(stripeEvent: StripeEvent): string {
  const { email, metadata = {} } = readObject(createdCustomer, stripeEvent)
  const entries = Object.entries(metadata).filter(
    (entry): entry is [string, string] => entry[0].trim() !== '' && text.safeParse(entry[1]).success,
  )
  return bullets([
    ...(email ? [`${bold('Email')}: ${line(email)}`] : []),
    ...entries.map(([name, value]) => `${bold(name)}: ${line(value)}`),
  ])
}

function customerPart(stripeEvent: StripeEvent): string {
  const { customer } = readObject(z.object({ customer: optional(text) }), stripeEvent)
  return customer ? ` of ${showObject({ id: customer })}` : ''
}

/** Translates an event of a card, a bank account or another object of a customer. */
export function translateCustomerPart(stripeEvent: StripeEvent): Outcome {
  const subject = showObject(readObject(withId, stripeEvent)) + customerPart(stripeEvent)
  return postMessages({
    event: stripeEvent.type,
    topic: chooseTopic(stripeEvent, 'customers'),
    content: describePlainly(stripeEvent, subject),
  })
}

const subscription = z.object({
  id: text,
  plan: optional(z.object({ id: text, nickname: optional(text) })),
  quantity: optional(number),
  billing: optional(text),
  collection_method: optional(text),
})

export function translateSubscription(stripeEvent: StripeEvent): Outcome {
  const { id, plan, quantity, ...rest } = readObject(subscription, stripeEvent)
  const event = stripeEvent.type
  const topic = chooseTopic(stripeEvent, 'subscriptions')
  if (stripeEvent.event === 'trial_will_end')
    return postMessages({ event, topic, content: trialEnds(id, stripeEvent) })
  const billing = rest.collection_method ?? rest.billing
  const details =
    stripeEvent.event === 'created'
      ? bullets([
          ...(plan ? [`${bold('Plan')}: ${showPage(plan.nickname ?? plan.id, 'plans', plan.id)}`] : []),
          ...(quantity === undefined ? [] : [`${bold('Quantity')}: ${quantity}`]),
          ...(billing ? [`${bold('Billing')}: ${line(replaceUnderscores(billing))}`] : []),
        ])
      : ''
  return postMessages({
    event,
    topic,
    content: [describePlainly(stripeEvent, { id }), details].filter(Boolean).join('\n'),
  })
}

/** Says when the trial ends, in days from the time of the event, not of its delivery. */
function trialEnds(id: string, stripeEvent: StripeEvent): string {
  const { trial_end } = readObject(z.object({ trial_end: number }), stripeEvent)
  const { created } = read(z.object({ created: optional(number) }), stripeEvent.payload)
  if (created === undefined) return `${showObject({ id })}: the trial will end soon.`
  const days = Math.max(0, Math.ceil((trial_end - created) / 86_400))
  return `${showObject({ id })}: the trial will end in ${count(days, 'day')}.`
}

const discount = z.object({ coupon: z.object({ id: text, name: optional(text) }) })

export function translateDiscount(stripeEvent: StripeEvent): Outcome {
  const { coupon } = readObject(discount, stripeEvent)
  const label = showPage(coupon.name ?? coupon.id, 'coupons', coupon.id)
  const content = `Discount ${label}${customerPart(stripeEvent)} ${line(replaceUnderscores(stripeEvent.event))}.`
  return postMessages({ event: stripeEvent.type, topic: chooseTopic(stripeEvent, 'discounts'), content })
}
