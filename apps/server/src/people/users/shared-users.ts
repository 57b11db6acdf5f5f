import { setImmediate } from 'node:timers/promises'
import { bytesPerMebibyte, type OrganizationId, Role } from '@oxbow/contract'
import { canClientComputeAvatar, canSeeDeliveryEmail } from '../../identity/accounts/public-account.ts'
import type { App } from '../../platform/app.ts'
import { allowPause, type Db, type Tx } from '../../platform/database/database.ts'
import { perNode } from '../../platform/per-node.ts'
import { JsonText } from '../../platform/pieces.ts'
import { divideUsers, hasManyUsers, listShownUsersFrom, readUserGroups, type UserGroup } from './groups.ts'
import { maxUsersPerPiece, type ShownUser } from './queries.ts'
import { type ViewOptions, viewUser } from './views.ts'

/**
 * Minimum number of users to share. Smaller organizations are read for each request, which takes a
 * few milliseconds.
 */
const minUsers = maxUsersPerPiece
/** Number of users in a group. If one of them changes, the whole group is read again. */
const usersPerGroup = 250
/** Larger groups, in which many people have joined, are divided. */
const maxUsersPerGroup = 2 * usersPerGroup
/**
 * Estimated size of one serialized user. Users of organizations that would exceed the memory are
 * not shared.
 */
const estimatedBytesPerUser = 400

/**
 * Groups that were used within this time are not evicted for the list of another view: callers of two views
 * that do not fit together would otherwise evict each other's groups in every request.
 */
const keptMs = 60_000
/** How long the transaction of a caller may pause while another caller makes a group. */
const maxWaitSeconds = 60

/**
 * The form of the response: `registered` has two lists, active and deactivated users, without
 * `is_active`; `listed` has one list with all users.
 */
export type UserListing = 'registered' | 'listed'

interface SharedGroup {
  /** The version of the group that the texts were built from. */
  readonly version: string
  /** The items of each list, each preceded by a comma. */
  readonly texts: Promise<readonly Buffer[]>
  /** 0 until the texts are made. */
  bytes: number
  /** When a caller last used the group, by `performance.now()`. */
  usedAt: number
}

/**
 * Serialized users of large organizations, in groups that all callers with the same view share. A
 * group is used only if it has the same version in the caller's own snapshot, so its users are
 * exactly those of the snapshot. Beyond `maxBytes`, the least recently used groups are evicted.
 */
class SharedUsers {
  readonly #groups = new Map<string, SharedGroup>()
  /**
   * The first id of each group of an organization, in ascending order; empty if the organization
   * has too many users for the memory.
   */
  readonly #starts = new Map<OrganizationId, readonly number[]>()
  readonly #maxBytes: number
  bytes = 0

  constructor({ config, events }: App) {
    this.#maxBytes = config.shared_users_mib * bytesPerMebibyte
    // Frees the memory of organizations whose log this node no longer follows.
    events.log.onInvalidate((id, effect) => {
      if (effect === 'all') this.#drop(id)
    })
  }

  get size(): number {
    return this.#groups.size
  }

  /** Returns whether the organization is already known to have many users. */
  isKnownLarge(id: OrganizationId): boolean {
    return this.#starts.has(id)
  }

  async read(app: App, db: Db, id: OrganizationId, view: ViewOptions, listing: UserListing) {
    const groups = await this.#readGroups(db, id, view.withProfile)
    if (!groups) return undefined
    const wanted = groups.map((group) => {
      const shared = toSharedView(group, view)
      const key = `${id} ${group.start} ${group.email_address_visibility} ${listing} ${Object.values(shared)}`
      return { group, shared, key }
    })
    const isMade = ({ key, group }: (typeof wanted)[number]) => this.#isMade(key, group.version)
    if (!wanted.every(isMade)) {
      if (!this.#hasRoomFor(wanted)) return undefined
      await allowPause(db as Tx, maxWaitSeconds)
    }
    const made: (readonly Buffer[])[] = []
    // Concurrent callers start at different groups, so that they share the work.
    const first = Math.floor(Math.random() * wanted.length)
    for (let step = 0; step < wanted.length; step++) {
      const position = (first + step) % wanted.length
      const { group, shared, key } = wanted[position] as (typeof wanted)[number]
      made[position] = await this.#getTexts(key, group.version, async () => {
        await setImmediate()
        const users = await listShownUsersFrom(db, id, group, view.withProfile)
        return serialize(app, users, shared, listing)
      })
    }
    if (countBytes(made.flat()) > this.#maxBytes) this.#starts.set(id, [])
    const [firstGroup = []] = made
    return firstGroup.map((_, list) => joinItems(made.flatMap((texts) => texts[list] ?? [])))
  }

  /**
   * Reads the groups of an organization. Returns undefined if it has too few users, or too many for
   * the memory.
   */
  async #readGroups(db: Db, id: OrganizationId, withProfile: boolean): Promise<UserGroup[] | undefined> {
    let starts = this.#starts.get(id)
    if (!starts) {
      if (this.#maxBytes === 0 || !(await hasManyUsers(db, id, minUsers))) return undefined
      starts = await divideUsers(db, id, 0, usersPerGroup)
    }
    if (starts.length === 0) return undefined
    let groups = await readUserGroups(db, id, starts, withProfile)
    const crowded = groups.find(({ count }) => count > maxUsersPerGroup)
    if (crowded) {
      const kept = starts.filter((start) => start < crowded.start)
      starts = [...kept, ...(await divideUsers(db, id, crowded.start, usersPerGroup))]
      groups = await readUserGroups(db, id, starts, withProfile)
    }
    const users = groups.reduce((sum, { count }) => sum + count, 0)
    const fits = users * estimatedBytesPerUser <= this.#maxBytes
    this.#starts.set(id, fits ? starts : [])
    return fits ? groups : undefined
  }

  #isMade(key: string, version: string): boolean {
    const found = this.#groups.get(key)
    return found?.version === version && found.bytes > 0
  }

  /** Whether the groups that are missing fit without evicting groups that are in use. */
  #hasRoomFor(wanted: readonly { key: string; group: UserGroup }[]): boolean {
    const missing = wanted.filter(({ key }) => !this.#groups.has(key))
    const bytes = missing.reduce((sum, { group }) => sum + group.count * estimatedBytesPerUser, 0)
    const [leastUsed] = this.#groups.values()
    return this.bytes + bytes <= this.#maxBytes || !leastUsed || performance.now() - leastUsed.usedAt > keptMs
  }

  async #getTexts(
    key: string,
    version: string,
    make: () => Promise<readonly Buffer[]>,
  ): Promise<readonly Buffer[]> {
    // If the caller that makes the group fails, the next caller makes it.
    for (let found = this.#groups.get(key); found?.version === version; found = this.#groups.get(key)) {
      this.#groups.delete(key)
      this.#groups.set(key, found)
      found.usedAt = performance.now()
      const texts = await found.texts.catch(() => undefined)
      if (texts) return texts
    }
    this.#remove(key)
    const group: SharedGroup = { version, texts: make(), bytes: 0, usedAt: performance.now() }
    this.#groups.set(key, group)
    try {
      const texts = await group.texts
      if (this.#groups.get(key) === group) this.#count(group, texts)
      return texts
    } catch (error) {
      if (this.#groups.get(key) === group) this.#remove(key)
      throw error
    }
  }

  #count(group: SharedGroup, texts: readonly Buffer[]): void {
    group.bytes = countBytes(texts)
    this.bytes += group.bytes
    for (const key of this.#groups.keys()) {
      if (this.bytes <= this.#maxBytes) return
      this.#remove(key)
    }
  }

  #remove(key: string): void {
    this.bytes -= this.#groups.get(key)?.bytes ?? 0
    this.#groups.delete(key)
  }

  #drop(id: OrganizationId): void {
    this.#starts.delete(id)
    for (const key of this.#groups.keys()) if (key.startsWith(`${id} `)) this.#remove(key)
  }
}

export const getSharedUsers = perNode({
  name: 'shared groups of users',
  create: (app) => new SharedUsers(app),
  countEntries: ({ size }) => size,
})

/**
 * Returns all users of a large organization as lists of serialized items that callers share. They
 * are those of the snapshot of the transaction `db`. Returns undefined if the caller must read the
 * users itself.
 */
export function readSharedUsers(
  app: App,
  db: Db,
  id: OrganizationId,
  view: ViewOptions,
  listing: UserListing,
): Promise<JsonText[] | undefined> {
  return getSharedUsers(app).read(app, db, id, view, listing)
}

/**
 * Returns the view with which a group is serialized. Callers who see the same data have the same
 * view. The view is part of the group's key, so that no caller gets data that was serialized for
 * another view.
 */
function toSharedView(group: UserGroup, view: ViewOptions): ViewOptions {
  const { email_address_visibility } = group
  const computable = canClientComputeAvatar({ email_address_visibility, avatar_source: 'external' })
  return {
    viewerRole: canSeeDeliveryEmail(group, view.viewerRole) ? Role.administrator : Role.member,
    clientComputesAvatars: view.clientComputesAvatars && computable,
    withProfile: view.withProfile,
  }
}

function serialize(
  app: App,
  users: readonly ShownUser[],
  view: ViewOptions,
  listing: UserListing,
): readonly Buffer[] {
  if (listing === 'listed') return [toItems(users.map((user) => viewUser(app, user, view)))]
  const [active, others] = [[] as object[], [] as object[]]
  for (const user of users) {
    const { is_active, ...shown } = viewUser(app, user, view)
    if (is_active) active.push(shown)
    else others.push(shown)
  }
  return [toItems(active), toItems(others)]
}

function toItems(items: readonly object[]): Buffer {
  return Buffer.from(items.map((item) => `,${JSON.stringify(item)}`).join(''))
}

const countBytes = (texts: readonly Buffer[]) => texts.reduce((sum, { length }) => sum + length, 0)

function joinItems(texts: readonly Buffer[]): JsonText {
  const [first, ...rest] = texts.filter(({ length }) => length > 0)
  return new JsonText(first ? ['[', first.subarray(1), ...rest, ']'] : ['[]'])
}
