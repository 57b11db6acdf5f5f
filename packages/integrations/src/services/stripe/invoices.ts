import { z } from 'zod'
import {
  bold,
  bullets,
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
import { showAmount } from './amount.ts'
import { changes } from './changes.ts'
import { type Happened, objectOf, plainly, topicOf } from './event.ts'
import { showObject } from './object.ts'

const invoice = z.object({
  /** The id. An upcoming invoice has none yet. */
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

/** Fields that Stripe fills in by itself when an invoice is finalized. */
const dull = ['lines', 'description', 'number', 'finalized_at', 'status_transitions', 'payment_intent']

export function sayInvoice(happened: Happened): Outcome {
  const made = objectOf(invoice, happened)
  const subject = made.id === undefined ? 'Invoice' : showObject({ id: made.id })
  const content = sayWhat(subject, made, happened)
  if (content === undefined) return ignore()
  return say({ event: happened.type, topic: topicOf(happened, 'invoices'), content })
}

function sayWhat(subject: string, made: Invoice, happened: Happened): string | undefined {
  const said = `${subject} ${line(unscored(happened.event))}.`
  if (happened.event === 'created') return [said, describe(made)].filter(Boolean).join('\n')
  if (happened.event !== 'updated') return said
  if (isPaidNow(made, happened)) return `${subject} is now paid.`
  const changed = changes(happened, dull)
  return changed === '' ? undefined : `${said}\n${changed}`
}

function describe({ billing_reason, currency, total, amount_due }: Invoice): string {
  const amount = (name: string, value: number | undefined) =>
    value === undefined || currency === undefined ? [] : [`${bold(name)}: ${showAmount(value, currency)}`]
  return bullets([
    ...(billing_reason ? [`${bold('Reason')}: ${line(unscored(billing_reason))}`] : []),
    ...amount('Total', total),
    ...amount('Due', amount_due),
  ])
}

const before = z.object({
  data: z.object({ previous_attributes: optional(z.object({ paid: optional(z.boolean()) })) }),
})

function isPaidNow({ paid, total, amount_paid, amount_remaining }: Invoice, { payload }: Happened): boolean {
  const wasPaid = read(before, payload).data.previous_attributes?.paid
  return wasPaid === false && paid === true && amount_paid === total && amount_remaining === 0
}

export function sayInvoiceItem(happened: Happened): Outcome {
  const content = plainly(happened, objectOf(z.object({ id: text }), happened))
  return say({ event: happened.type, topic: topicOf(happened, 'invoices'), content })
}
