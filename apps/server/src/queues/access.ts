import { ApiError, type ErrorName } from '@oxbow/contract'
import { parseCut } from '../events/delivery/cut.ts'
import { Queue } from '../events/delivery/queue.ts'
import type { OrganizationLog } from '../events/log/organization-log.ts'
import type { QueueOptions } from '../events/queue-options.ts'
import { findQueueRow } from '../events/queue-rows.ts'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import { BoundedCache } from '../platform/bounded-cache.ts'

export interface AccessedQueue {
  queue: Queue
  organization: OrganizationLog
}

/**
 * Returns the actor's queue from memory, or loads it from the database if only other nodes served
 * it so far.
 */
export async function accessQueueToRead(app: App, actor: Actor, id: string): Promise<AccessedQueue> {
  const organization = await app.events.log.follow(actor.organization_id)
  const queue = organization.queues.get(id) ?? (await loadQueue(app, actor, organization, id))
  if (queue.account.user_id !== actor.user_id) throw new ApiError('NOT_YOUR_QUEUE_TO_READ')
  queue.seenAt = performance.now()
  return { queue, organization }
}

async function loadQueue(app: App, actor: Actor, organization: OrganizationLog, id: string): Promise<Queue> {
  const row = await accessQueueRow(app, actor, id, 'NOT_YOUR_QUEUE_TO_READ')
  return organization.withAccount(row.user_id, (account) => {
    const cached = organization.queues.get(id)
    if (cached) return cached
    const options = shareOptions(row.options)
    const queue = new Queue({
      id,
      organization_id: row.organization_id,
      account,
      cut: parseCut(row.cut_seq, row.cut_snapshot),
      options,
      matchesNarrow: app.events.narrows.compile(options.narrow),
    })
    organization.attach(queue)
    return queue
  })
}

const sharedOptions = new BoundedCache<string, QueueOptions>(1_000)

/**
 * Returns one shared object for equal options. This saves memory, because most queues are opened by
 * a few clients.
 */
function shareOptions(options: QueueOptions): QueueOptions {
  return sharedOptions.getOrMake(JSON.stringify(options), () => options)
}

/**
 * Returns the row of the actor's queue. Throws `denial` for a queue of another user. Queues of
 * other organizations are treated as missing.
 */
export async function accessQueueRow(app: App, actor: Actor, id: string, denial: ErrorName) {
  const row = await findQueueRow(app.db, id)
  if (!row || row.organization_id !== actor.organization_id) {
    throw new ApiError('BAD_EVENT_QUEUE_ID', { queue_id: id })
  }
  if (row.user_id !== actor.user_id) throw new ApiError(denial as 'NOT_YOUR_QUEUE')
  return row
}
