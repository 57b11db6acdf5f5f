import { z } from 'zod'
import {
  bold,
  bullets,
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
import { showAmount } from './amount.ts'
import { changes } from './changes.ts'
import { describePlainly } from './describe.ts'
import { chooseTopic, readObject, type StripeEvent } from './event.ts'
import { showObject } from './object.ts'

const invoice = z.object({
  /** The id. An upcoming invoice does not have one yet. */
  id: optional(text),
  billing_reason: optional(text),
  currency: optional(text),
  total: optional(number),
  amount_due: optional(number),
  amount_paid: optional(number),
  amount_remaining: optional(number),
  paid: optional(z.boolean()),
})
type Invoice = z.output<typeof invoice>

/** Fields that Stripe sets when it finalizes an invoice. */
const ignoredFields = [
  'lines',
  'description',
  'number',
  'finalized_at',
  'status_transitions',
  'payment_intent',
]

export function translateInvoice(stripeEvent: StripeEvent): Outcome {
  const invoiceObject = readObject(invoice, stripeEvent)
  const subject = invoiceObject.id === undefined ? 'Invoice' : showObject({ id: invoiceObject.id })
  const content = describeInvoiceEvent(subject, invoiceObject, stripeEvent)
  if (content === undefined) return ignore()
  return postMessages({ event: stripeEvent.type, topic: chooseTopic(stripeEvent, 'invoices'), content })
}

function describeInvoiceEvent(
  subject: string,
  invoiceObject: Invoice,
  stripeEvent: StripeEvent,
): string | undefined {
  const headline = `${subject} ${line(replaceUnderscores(stripeEvent.event))}.`
  if (stripeEvent.event === 'created') return [headline, describe(invoiceObject)].filter(Boolean).join('\n')
  if (stripeEvent.event !== 'updated') return headline
  if (isPaidNow(invoiceObject, stripeEvent)) return `${subject} is now paid.`
  const changed = changes(stripeEvent, ignoredFields)
  return changed === '' ? undefined : `${headline}\n${changed}`
}

function describe({ billing_reason, currency, total, amount_due }: Invoice): string {
  const amount = (name: string, value: number | undefined) =>
    value === undefined || currency === undefined ? [] : [`${bold(name)}: ${showAmount(value, currency)}`]
  return bullets([
    ...(billing_reason ? [`${bold('Reason')}: ${line(replaceUnderscores(billing_reason))}`] : []),
    ...amount('Total', total),
    ...amount('Due', amount_due),
  ])
}

const previousAttributes = z.object({
  data: z.object({ previous_attributes: optional(z.object({ paid: optional(z.boolean()) })) }),
})

function isPaidNow(
  { paid, total, amount_paid, amount_remaining }: Invoice,
  { payload }: StripeEvent,
): boolean {
  const wasPaid = read(previousAttributes, payload).data.previous_attributes?.paid
  return wasPaid === false && paid === true && amount_paid === total && amount_remaining === 0
}

export function translateInvoiceItem(stripeEvent: StripeEvent): Outcome {
  const content = describePlainly(stripeEvent, readObject(z.object({ id: text }), stripeEvent))
  return postMessages({ event: stripeEvent.type, topic: chooseTopic(stripeEvent, 'invoices'), content })
}
