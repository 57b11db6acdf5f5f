import { z } from 'zod'
import { optional, read, text } from '../../writing.ts'

export interface StripeEvent {
  /** The whole type, like `charge.dispute.created`. */
  type: string
  /** The last part of the type, like `created`. */
  event: string
  payload: unknown
}

/** Reads the object that the event is about. */
export function readObject<Schema extends z.ZodType>(
  schema: Schema,
  { payload }: StripeEvent,
): z.output<Schema> {
  const envelope: z.ZodType<{ data: { object: z.output<Schema> } }> = z.object({
    data: z.object({ object: schema }),
  }) as never
  return read(envelope, payload).data.object
}

/** Returns the customer if there is one, so that all events of a customer share a topic. */
export function chooseTopic(stripeEvent: StripeEvent, fallback: string): string {
  return readObject(z.object({ customer: optional(text) }), stripeEvent).customer ?? fallback
}

const listTypes = (resource: string, events: string): string[] =>
  events.split(' ').map((event) => `${resource}.${event}`)

export const eventTypes: readonly string[] = [
  ...listTypes('account', 'updated'),
  ...listTypes('charge', 'captured expired failed pending refunded succeeded updated'),
  ...listTypes('charge.dispute', 'closed created funds_reinstated funds_withdrawn updated'),
  ...listTypes('charge.refund', 'updated'),
  ...listTypes('customer', 'created deleted updated'),
  ...listTypes('customer.bank_account', 'created deleted updated'),
  ...listTypes('customer.card', 'created deleted updated'),
  ...listTypes('customer.discount', 'created deleted updated'),
  ...listTypes('customer.source', 'created deleted expiring updated'),
  ...listTypes(
    'customer.subscription',
    'created deleted paused pending_update_applied pending_update_expired',
  ),
  ...listTypes('customer.subscription', 'resumed trial_will_end updated'),
  ...listTypes('customer.tax_id', 'created deleted updated'),
  ...listTypes('invoice', 'created deleted finalization_failed finalized marked_uncollectible overdue paid'),
  ...listTypes(
    'invoice',
    'payment_action_required payment_failed payment_succeeded sent upcoming updated voided',
  ),
  ...listTypes('invoice', 'will_be_due'),
  ...listTypes('invoiceitem', 'created deleted updated'),
]
