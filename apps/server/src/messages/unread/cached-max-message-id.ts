import type { UserId } from '@oxbow/contract'
import type { OrganizationLog } from '../../events/log/organization-log.ts'
import type { App } from '../../platform/app.ts'
import { BoundedCache } from '../../platform/bounded-cache.ts'
import { perNode } from '../../platform/per-node.ts'
import type { Reader } from '../visibility.ts'
import { findMaxMessageId } from './own-messages.ts'

interface KnownMax {
  value: number
  /**
   * The log in which `position` is valid. A node that stops following an organization and follows
   * it again has a new log.
   */
  organization: OrganizationLog
  /** See `KnownMaxima`. */
  generation: number
  /** The value includes all records up to this number. */
  position: number
  readAt: number
}

const maxUsers = 100_000
/**
 * Limits how long a value stays outdated after someone changed PostgreSQL by hand, without a
 * record.
 */
const maxAgeMs = 60_000

/** A node's cache of the newest message that was delivered to each user. */
class KnownMaxima {
  readonly values = new BoundedCache<UserId, KnownMax>(maxUsers)
  /**
   * Increases whenever all cached data becomes invalid. Values of an earlier generation are
   * outdated.
   */
  generation = 0

  constructor({ log }: App['events']) {
    log.onInvalidate((_organization, effect) => {
      if (effect === 'all') this.generation++
    })
  }
}

const knownMaxima = perNode({
  name: 'newest messages of users',
  create: ({ events }) => new KnownMaxima(events),
  countEntries: ({ values }) => values.size,
})

/**
 * Types of records that never change which message is the newest that was delivered to a user;
 * `effect queues` means ended queues. Records of all other types may.
 */
const unrelated: ReadonlySet<string> = new Set([
  'attachment',
  'drafts',
  'effect queues',
  'presence',
  'reaction',
  'scheduled_messages',
  'submessage',
  'typing',
  'update_display_settings',
  'update_global_notifications',
  'user_settings',
  'user_status',
])

/**
 * Returns the id of the newest message that was delivered to the reader. Uses the cached value if
 * no record can have changed it since it was read. Otherwise reads PostgreSQL, and also if
 * `isNewest` is false: this node may not have applied all records that were committed before the
 * request (`events/log/is-newest.ts`).
 */
export async function findCachedMaxMessageId(app: App, reader: Reader, isNewest: boolean): Promise<number> {
  const { values, generation } = knownMaxima(app)
  const known = isNewest ? values.get(reader.user_id) : undefined
  if (known?.generation === generation && isCurrent(app, reader, known)) return known.value
  const organization = await app.events.log.follow(reader.organization_id)
  const { position } = organization
  const readAt = performance.now()
  const value = await findMaxMessageId(app.db, reader)
  values.set(reader.user_id, { value, organization, generation, position, readAt })
  return value
}

function isCurrent(app: App, { organization_id }: Reader, known: KnownMax): boolean {
  const { organization, position, readAt } = known
  return (
    app.events.log.organizations.get(organization_id) === organization &&
    organization.newestRecord(unrelated) <= position &&
    performance.now() - readAt < maxAgeMs
  )
}
