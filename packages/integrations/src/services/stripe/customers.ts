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
  read,
  say,
  text,
  unscored,
} from '../../writing.ts'
import { changes } from './changes.ts'
import { type Happened, objectOf, plainly, topicOf } from './event.ts'
import { showObject, showPage } from './object.ts'

const withId = z.object({ id: text })

/** Fields that change with every payment and are not worth a message. */
const dull = ['delinquent', 'currency', 'default_source']

export function sayCustomer(happened: Happened): Outcome {
  const { id } = objectOf(withId, happened)
  const details = happened.event === 'created' ? describe(happened) : changes(happened, dull)
  if (happened.event === 'updated' && details === '') return ignore()
  const said = `${showObject({ id })} ${line(unscored(happened.event))}.`
  return say({ event: happened.type, topic: id, content: [said, details].filter(Boolean).join('\n') })
}

const created = z.object({ email: optional(text), metadata: optional(anything) })

function describe(happened: Happened): string {
  const { email, metadata = {} } = objectOf(created, happened)
  const entries = Object.entries(metadata).filter(
    (entry): entry is [string, string] => entry[0].trim() !== '' && text.safeParse(entry[1]).success,
  )
  return bullets([
    ...(email ? [`${bold('Email')}: ${line(email)}`] : []),
    ...entries.map(([name, value]) => `${bold(name)}: ${line(value)}`),
  ])
}

function ofCustomer(happened: Happened): string {
  const { customer } = objectOf(z.object({ customer: optional(text) }), happened)
  return customer ? ` of ${showObject({ id: customer })}` : ''
}

/** A card, a bank account and the like. */
export function sayOfCustomer(happened: Happened): Outcome {
  const subject = showObject(objectOf(withId, happened)) + ofCustomer(happened)
  return say({
    event: happened.type,
    topic: topicOf(happened, 'customers'),
    content: plainly(happened, subject),
  })
}

const subscription = z.object({
  id: text,
  plan: optional(z.object({ id: text, nickname: optional(text) })),
  quantity: optional(number),
  billing: optional(text),
  collection_method: optional(text),
})

export function saySubscription(happened: Happened): Outcome {
  const { id, plan, quantity, ...rest } = objectOf(subscription, happened)
  const event = happened.type
  const topic = topicOf(happened, 'subscriptions')
  if (happened.event === 'trial_will_end') return say({ event, topic, content: trialEnds(id, happened) })
  const billing = rest.collection_method ?? rest.billing
  const details =
    happened.event === 'created'
      ? bullets([
          ...(plan ? [`${bold('Plan')}: ${showPage(plan.nickname ?? plan.id, 'plans', plan.id)}`] : []),
          ...(quantity === undefined ? [] : [`${bold('Quantity')}: ${quantity}`]),
          ...(billing ? [`${bold('Billing')}: ${line(unscored(billing))}`] : []),
        ])
      : ''
  return say({ event, topic, content: [plainly(happened, { id }), details].filter(Boolean).join('\n') })
}

/** Days are counted from the time of the event, not of its arrival. */
function trialEnds(id: string, happened: Happened): string {
  const { trial_end } = objectOf(z.object({ trial_end: number }), happened)
  const { created } = read(z.object({ created: optional(number) }), happened.payload)
  if (created === undefined) return `${showObject({ id })}: the trial will end soon.`
  const days = Math.max(0, Math.ceil((trial_end - created) / 86_400))
  return `${showObject({ id })}: the trial will end in ${count(days, 'day')}.`
}

const discount = z.object({ coupon: z.object({ id: text, name: optional(text) }) })

export function sayDiscount(happened: Happened): Outcome {
  const { coupon } = objectOf(discount, happened)
  const label = showPage(coupon.name ?? coupon.id, 'coupons', coupon.id)
  const content = `Discount ${label}${ofCustomer(happened)} ${line(unscored(happened.event))}.`
  return say({ event: happened.type, topic: topicOf(happened, 'discounts'), content })
}
