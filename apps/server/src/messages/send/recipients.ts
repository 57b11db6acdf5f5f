import { ApiError, foldName, type OrganizationId, type StreamId, type UserId } from '@oxbow/contract'
import { listSeenAccountsByEmail, listSeenAccountsById } from '../../identity/accounts/sight.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Db } from '../../platform/database/database.ts'
import { buildUnknownStreamError } from './check-destination.ts'
import type { Destination, Recipient } from './preconditions.ts'

/** Larger groups should use a stream. */
const maxRecipients = 1_000

/**
 * Finds the stream or the people specified in the request. Throws if one of them does not exist or is hidden
 * from the actor.
 */
export async function resolveDestination(app: App, actor: Actor, recipient: Recipient): Promise<Destination> {
  if (recipient.kind === 'people') return { people: await resolvePeople(app, actor, recipient.people) }
  const { stream } = recipient
  const id =
    typeof stream === 'number'
      ? (stream as StreamId)
      : await findStreamId(app.db, actor.organization_id, stream)
  if (id === undefined) throw buildUnknownStreamError(stream)
  return { stream: id }
}

/** Returns the ids of all members of the conversation, including the sender, in ascending order. */
async function resolvePeople(
  { config, db }: App,
  actor: Actor,
  named: readonly string[] | readonly number[],
): Promise<UserId[]> {
  if (named.length > maxRecipients)
    throw new ApiError('MESSAGE_RECIPIENTS_TOO_MANY', { limit: maxRecipients })
  const [first] = named
  const ids = new Set<UserId>([actor.user_id])
  if (typeof first === 'number') {
    const found = await listSeenAccountsById(db, actor, named as number[])
    for (const id of named as UserId[]) {
      if (!found.has(id)) throw new ApiError('RECIPIENT_ID_INVALID', { id })
      ids.add(id)
    }
  } else {
    // PostgreSQL does not accept NUL characters in parameters, and no address contains one.
    const possible = (named as string[]).filter((email) => !email.includes('\0'))
    const found = await listSeenAccountsByEmail(config, db, actor, possible)
    for (const email of named as string[]) {
      const account = found.get(email.toLowerCase())
      if (!account) throw new ApiError('RECIPIENT_EMAIL_INVALID', { email })
      ids.add(account.id)
    }
  }
  return [...ids].sort((a, b) => a - b)
}

export async function findStreamId(
  db: Db,
  organization_id: OrganizationId,
  name: string,
): Promise<StreamId | undefined> {
  const found = await db
    .selectFrom('stream')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where('folded_name', '=', foldName(name))
    .executeTakeFirst()
  return found?.id
}
