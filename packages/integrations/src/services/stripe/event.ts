import { z } from 'zod'
import { line, type Outcome, optional, read, say, text, unscored, unsupported } from '../../writing.ts'
import { changes } from './changes.ts'
import { type ObjectId, showObject } from './object.ts'

export interface Happened {
  /** `charge.dispute.created` */
  type: string
  /** `created` */
  event: string
  payload: unknown
}

/** The object of the event. */
export function objectOf<Schema extends z.ZodType>(schema: Schema, { payload }: Happened): z.output<Schema> {
  const around: z.ZodType<{ data: { object: z.output<Schema> } }> = z.object({
    data: z.object({ object: schema }),
  }) as never
  return read(around, payload).data.object
}

/** The topic is the customer if there is one, so that all their events share a topic. */
export function topicOf(happened: Happened, otherwise: string): string {
  return objectOf(z.object({ customer: optional(text) }), happened).customer ?? otherwise
}

/** Returns a sentence like `Invoice payment failed.`, followed by the changed fields of an update. */
export function plainly(happened: Happened, subject: ObjectId | string): string {
  const said = typeof subject === 'string' ? subject : showObject(subject)
  return [`${said} ${line(unscored(happened.event))}.`, changes(happened)].filter(Boolean).join('\n')
}

export function sayAccount(happened: Happened): Outcome {
  if (happened.event !== 'updated') return unsupported(happened.type)
  return say({ event: happened.type, topic: 'account updates', content: plainly(happened, 'Account') })
}

const typesOf = (resource: string, events: string): string[] =>
  events.split(' ').map((event) => `${resource}.${event}`)

export const types: readonly string[] = [
  ...typesOf('account', 'updated'),
  ...typesOf('charge', 'captured expired failed pending refunded succeeded updated'),
  ...typesOf('charge.dispute', 'closed created funds_reinstated funds_withdrawn updated'),
  ...typesOf('charge.refund', 'updated'),
  ...typesOf('customer', 'created deleted updated'),
  ...typesOf('customer.bank_account', 'created deleted updated'),
  ...typesOf('customer.card', 'created deleted updated'),
  ...typesOf('customer.discount', 'created deleted updated'),
  ...typesOf('customer.source', 'created deleted expiring updated'),
  ...typesOf('customer.subscription', 'created deleted paused pending_update_applied pending_update_expired'),
  ...typesOf('customer.subscription', 'resumed trial_will_end updated'),
  ...typesOf('customer.tax_id', 'created deleted updated'),
  ...typesOf('invoice', 'created deleted finalization_failed finalized marked_uncollectible overdue paid'),
  ...typesOf(
    'invoice',
    'payment_action_required payment_failed payment_succeeded sent upcoming updated voided',
  ),
  ...typesOf('invoice', 'will_be_due'),
  ...typesOf('invoiceitem', 'created deleted updated'),
]
