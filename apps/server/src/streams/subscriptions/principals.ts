import { ApiError } from '@oxbow/contract'
import { displayEmail, parseHiddenAddresses } from '../../identity/accounts/public-account.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Db } from '../../platform/database/database.ts'
import { getSubscriber, listSubscribersByEmail, listSubscribersById, type Subscriber } from './queries.ts'

/** The users that a request concerns, by id or display address. */
export type Principals = readonly number[] | readonly string[] | null

/**
 * Loads the named users without duplicates, in the given order. Loads the actor if no user is
 * named. Throws if a user is unknown.
 */
export async function accessPrincipals(
  { config }: App,
  db: Db,
  actor: Actor,
  principals: Principals,
): Promise<Subscriber[]> {
  if (!principals || principals.length === 0) return [await getSubscriber(db, actor)]
  const found = await findSubscribers(config, db, actor, principals)
  const subscribers = principals.map((principal) => {
    const subscriber = found.get(toKey(principal))
    if (!subscriber) throw new ApiError('PRINCIPAL_NOT_FOUND', { principal })
    return subscriber
  })
  return [...new Set(subscribers)]
}

/** Returns how many users the request names at most; the caller if it names none. */
export const countPrincipals = (principals: Principals): number =>
  principals && principals.length > 0 ? new Set<string | number>(principals.map(toKey)).size : 1

const toKey = (principal: string | number): string | number =>
  typeof principal === 'string' ? principal.toLowerCase() : principal

async function findSubscribers(
  config: App['config'],
  db: Db,
  { organization_id }: Actor,
  principals: readonly (string | number)[],
): Promise<Map<string | number, Subscriber>> {
  const ids = principals.filter((principal) => typeof principal === 'number')
  if (ids.length > 0) {
    const subscribers = await listSubscribersById(db, organization_id, ids)
    return new Map(subscribers.map((subscriber) => [subscriber.id, subscriber]))
  }
  const emails = principals.map((principal) => String(principal).toLowerCase())
  const subscribers = [
    ...(await listSubscribersByEmail(db, organization_id, emails)),
    ...(await listSubscribersById(db, organization_id, parseHiddenAddresses(config, emails))),
  ]
  // A hidden delivery address must not identify an account.
  return new Map(
    subscribers.map((subscriber) => [displayEmail(config, subscriber).toLowerCase(), subscriber]),
  )
}
