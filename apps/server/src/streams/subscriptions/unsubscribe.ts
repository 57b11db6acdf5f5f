import {
  ApiError,
  type api,
  foldName,
  isAdministrator,
  type ParamsOf,
  type ResponseOf,
} from '@oxbow/contract'
import { displayEmail } from '../../identity/accounts/public-account.ts'
import { writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { lockStreamDirectory } from '../../platform/database/locks.ts'
import { RetryTransaction } from '../../platform/database/transaction.ts'
import { canSee, toViewer } from '../access.ts'
import { checkStreamName } from '../names.ts'
import { listStreamsByName, type StreamWithMembership } from '../queries.ts'
import { refuseTooManyPairs } from './limits.ts'
import { lockStreamsByName } from './lock-streams-by-name.ts'
import { accessPrincipals, type Principals } from './principals.ts'
import { getSubscriber } from './queries.ts'
import { removeSubscriptions } from './remove-subscriptions.ts'

type Unsubscribe = typeof api.subscriptions.unsubscribe

export async function unsubscribe(
  app: App,
  actor: Actor,
  { subscriptions, principals }: ParamsOf<Unsubscribe>,
): Promise<ResponseOf<Unsubscribe>> {
  await requireAdministratorForOthers(app, app.db, actor, principals)
  const names = subscriptions.map(checkStreamName)
  return writeAs(app, actor, async (tx) => {
    const isDirectoryHeld = await lockDirectoryIfNeeded(tx, actor, names)
    return unsubscribeInTransaction(app, tx, actor, { names, principals, isDirectoryHeld })
  })
}

/**
 * Locks the stream directory exclusively if unsubscribing may archive a private stream. Must be
 * called before locking streams. Returns whether the directory was locked.
 */
export async function lockDirectoryIfNeeded(
  tx: Tx,
  actor: Actor,
  names: readonly string[],
  makesPrivate = false,
): Promise<boolean> {
  const streams = await listStreamsByName(tx, actor, names.map(foldName))
  const isNeeded = names.length > 0 && (makesPrivate || streams.some(isPrivate))
  if (isNeeded) await lockStreamDirectory(tx, actor.organization_id, 'exclusive')
  return isNeeded
}

const isPrivate = ({ invite_only }: StreamWithMembership) => invite_only

interface UnsubscribeRequest {
  names: readonly string[]
  principals: Principals
  isDirectoryHeld: boolean
}

export async function unsubscribeInTransaction(
  app: App,
  tx: Tx,
  actor: Actor,
  { names, principals, isDirectoryHeld }: UnsubscribeRequest,
): Promise<ResponseOf<Unsubscribe>> {
  await requireAdministratorForOthers(app, tx, actor, principals)
  const streams = await lockVisibleStreams(tx, actor, names)
  if (streams.some(isPrivate) && !isDirectoryHeld)
    throw new RetryTransaction('a stream became private meanwhile')
  refuseTooManyPairs(principals, streams)
  const subscribers = await accessPrincipals(app, tx, actor, principals)
  const { removed, notRemoved } = await removeSubscriptions(tx, actor.organization_id, streams, subscribers)
  return { removed: removed.map(({ name }) => name), not_removed: notRemoved.map(({ name }) => name) }
}

async function requireAdministratorForOthers(
  { config }: App,
  db: Db,
  actor: Actor,
  principals: Principals,
): Promise<void> {
  if (isAdministrator(actor.role) || !principals || principals.length === 0) return
  const [principal] = principals
  const isSelf =
    principals.length === 1 &&
    (principal === actor.user_id || principal === displayEmail(config, await getSubscriber(db, actor)))
  if (!isSelf) throw new ApiError('NEEDS_ADMINISTRATIVE_RIGHTS')
}

/**
 * Locks and returns the named streams in the given order, without duplicates. Missing and hidden
 * streams get the same error.
 */
async function lockVisibleStreams(
  tx: Tx,
  actor: Actor,
  names: readonly string[],
): Promise<StreamWithMembership[]> {
  const found = await lockStreamsByName(tx, actor, names.map(foldName))
  const byName = new Map(found.map((stream) => [stream.folded_name, stream]))
  const streams = names.map((name) => {
    const stream = byName.get(foldName(name))
    if (!stream || !canSee(stream, toViewer(actor, stream)))
      throw new ApiError('STREAM_DOES_NOT_EXIST', { stream: name })
    return stream
  })
  return [...new Set(streams)]
}
