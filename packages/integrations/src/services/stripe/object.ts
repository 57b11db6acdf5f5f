import { code, line, link } from '../../writing.ts'

/** The id, with a prefix for the type of the object: `ch_1A2b`. */
export type ObjectId = { readonly id: string }

const kinds: Record<string, [title: string, folder?: string]> = {
  acct: ['Account', 'connect/accounts'],
  ba: ['Bank account'],
  card: ['Card'],
  ch: ['Charge', 'charges'],
  cus: ['Customer', 'customers'],
  dp: ['Dispute', 'disputes'],
  du: ['Dispute', 'disputes'],
  file: ['File', 'files'],
  ii: ['Invoice item', 'invoiceitems'],
  in: ['Invoice', 'invoices'],
  pi: ['Payment intent', 'payments'],
  po: ['Payout', 'payouts'],
  prod: ['Product', 'products'],
  py: ['Payment', 'payments'],
  re: ['Refund', 'refunds'],
  src: ['Source', 'sources'],
  sub: ['Subscription', 'subscriptions'],
  txi: ['Tax id'],
}

/**
 * Returns a link like `[Charge](https://dashboard.stripe.com/charges/ch_1)`, the title for a kind
 * of object without a page, like `Card`, or the id for an unknown kind.
 */
export function showObject({ id }: ObjectId): string {
  const prefix = id.slice(0, Math.max(0, id.indexOf('_')))
  const [title, folder] = (Object.hasOwn(kinds, prefix) && kinds[prefix]) || []
  if (title === undefined) return code(id)
  return folder ? showPage(title, folder, id) : title
}

export function showPage(title: string, folder: string, id: string): string {
  return link(line(title), `https://dashboard.stripe.com/${folder}/${encodeURIComponent(id)}`)
}
