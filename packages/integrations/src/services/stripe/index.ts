import { z } from 'zod'
import {
  anything,
  ignore,
  integration,
  type Outcome,
  read,
  type Signed,
  text,
  timedHmac,
  unsupported,
} from '../../writing.ts'
import { translateCharge, translateDispute, translateRefund } from './charges.ts'
import {
  translateCustomer,
  translateCustomerPart,
  translateDiscount,
  translateSubscription,
} from './customers.ts'
import { translateAccount } from './describe.ts'
import { eventTypes, type StripeEvent } from './event.ts'
import { translateInvoice, translateInvoiceItem } from './invoices.ts'

export const service = integration({
  title: 'Stripe',
  client: 'Stripe',
  category: 'Financial',
  signature: timedHmac('Stripe-Signature', { read: readSignature }),
  events: eventTypes,
  deliveryId: (payload) => z.string().safeParse(payload.id).data,
  payload: anything,
  translate({ payload }): Outcome {
    const { type } = read(z.object({ type: text }), payload)
    const [category = '', ...rest] = type.split('.')
    const event = rest.at(-1)
    if (event === undefined || rest.length > 2) return unsupported(type)
    if (isIgnored(category)) return ignore()
    const resource = rest.length === 2 ? `${category}.${rest[0]}` : category
    const translate = Object.hasOwn(translators, resource) ? translators[resource] : undefined
    return translate ? translate({ type, event, payload }) : unsupported(type)
  },
})

const translators: Record<string, (stripeEvent: StripeEvent) => Outcome> = {
  charge: translateCharge,
  'charge.dispute': translateDispute,
  'charge.refund': translateRefund,
  customer: translateCustomer,
  'customer.bank_account': translateCustomerPart,
  'customer.card': translateCustomerPart,
  'customer.discount': translateDiscount,
  'customer.source': translateCustomerPart,
  'customer.subscription': translateSubscription,
  'customer.tax_id': translateCustomerPart,
  invoice: translateInvoice,
  invoiceitem: translateInvoiceItem,
  account: translateAccount,
}

/** Internal events, and events that only repeat those of charges and invoices. */
const ignoredCategories = new Set(
  (
    'application_fee balance checkout_beta coupon payment_intent payout plan product recipient reporting review sigma sku ' +
    'source subscription_schedule topup transfer'
  ).split(' '),
)
const isIgnored = (category: string): boolean =>
  ignoredCategories.has(category) || /^(?:issuing|order)/.test(category)

/** Reads the signature `t=<seconds>,v1=<hex>,v1=<hex>`, with HMACs of `<seconds>.<body>`. */
function readSignature({ signature }: Signed) {
  const parts = signature.split(',').map((part) => part.trim())
  const seconds = parts.find((part) => part.startsWith('t='))?.slice(2) ?? ''
  return {
    sentAt: Number(seconds) * 1000,
    before: `${seconds}.`,
    signatures: parts.filter((part) => part.startsWith('v1=')).map((part) => part.slice(3)),
  }
}
