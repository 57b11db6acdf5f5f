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
import { sayCharge, sayDispute, sayRefund } from './charges.ts'
import { sayCustomer, sayDiscount, sayOfCustomer, saySubscription } from './customers.ts'
import { type Happened, sayAccount, types } from './event.ts'
import { sayInvoice, sayInvoiceItem } from './invoices.ts'

export const service = integration({
  title: 'Stripe',
  client: 'Stripe',
  category: 'Financial',
  signature: timedHmac('Stripe-Signature', { read: readSignature }),
  events: types,
  deliveryId: (payload) => z.string().safeParse(payload.id).data,
  payload: anything,
  translate({ payload }): Outcome {
    const { type } = read(z.object({ type: text }), payload)
    const [category = '', ...rest] = type.split('.')
    const event = rest.at(-1)
    if (event === undefined || rest.length > 2) return unsupported(type)
    if (isIgnored(category)) return ignore()
    const resource = rest.length === 2 ? `${category}.${rest[0]}` : category
    const say = Object.hasOwn(families, resource) ? families[resource] : undefined
    return say ? say({ type, event, payload }) : unsupported(type)
  },
})

const families: Record<string, (happened: Happened) => Outcome> = {
  charge: sayCharge,
  'charge.dispute': sayDispute,
  'charge.refund': sayRefund,
  customer: sayCustomer,
  'customer.bank_account': sayOfCustomer,
  'customer.card': sayOfCustomer,
  'customer.discount': sayDiscount,
  'customer.source': sayOfCustomer,
  'customer.subscription': saySubscription,
  'customer.tax_id': sayOfCustomer,
  invoice: sayInvoice,
  invoiceitem: sayInvoiceItem,
  account: sayAccount,
}

/** Internal events, and events that those of charges and invoices repeat. */
const ignored = new Set(
  (
    'application_fee balance checkout_beta coupon payment_intent payout plan product recipient reporting review sigma sku ' +
    'source subscription_schedule topup transfer'
  ).split(' '),
)
const isIgnored = (category: string): boolean => ignored.has(category) || /^(?:issuing|order)/.test(category)

/** The signature is `t=<seconds>,v1=<hex>,v1=<hex>` of `<seconds>.<body>`. */
function readSignature({ given }: Signed) {
  const parts = given.split(',').map((part) => part.trim())
  const seconds = parts.find((part) => part.startsWith('t='))?.slice(2) ?? ''
  return {
    sentAt: Number(seconds) * 1000,
    before: `${seconds}.`,
    given: parts.filter((part) => part.startsWith('v1=')).map((part) => part.slice(3)),
  }
}
