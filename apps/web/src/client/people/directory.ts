import type { PersonChange, Role, UserEvent, UserId } from '@oxbow/contract'
import { isAdministrator, Role as Roles } from '@oxbow/contract/plain'

/** Bits of the flags that `GET /users/directory` returns. */
export const personFlags = { bot: 1, guest: 2, administrator: 4, owner: 8, deactivated: 16 } as const

const roleFlags = personFlags.guest | personFlags.administrator | personFlags.owner

/** An account as the directory lists it: id, full name, flags, version of the avatar. */
export type DirectoryEntry = readonly [
  user_id: UserId,
  full_name: string,
  flags: number,
  avatar_version: number,
]

/** A person or a bot of the organization. */
export class Person {
  readonly user_id: UserId
  readonly full_name: string
  readonly flags: number
  readonly #avatar_version: number

  constructor([user_id, full_name, flags, avatar_version]: DirectoryEntry) {
    this.user_id = user_id
    this.full_name = full_name
    this.flags = flags
    this.#avatar_version = avatar_version
  }

  /**
   * URL of the uploaded avatar; empty if there is none. The page draws initials itself, because Chromium keeps a
   * whole page in memory for each SVG picture, and each of them makes every task of this page slower.
   */
  get avatar_url(): string {
    return this.#mayHavePicture ? `/avatar/${this.user_id}?v=${this.#avatar_version}` : ''
  }
  /** URL of the avatar with 500 pixels; empty if there is none. */
  get large_avatar_url(): string {
    return this.#mayHavePicture ? `/avatar/${this.user_id}/medium?v=${this.#avatar_version}` : ''
  }
  /** Uploading increases the version. Only bots can be created with a picture. */
  get #mayHavePicture(): boolean {
    return this.is_bot || this.#avatar_version > 1
  }
  get is_bot(): boolean {
    return (this.flags & personFlags.bot) !== 0
  }
  get is_guest(): boolean {
    return (this.flags & personFlags.guest) !== 0
  }
  get is_admin(): boolean {
    return (this.flags & personFlags.administrator) !== 0
  }
  get is_owner(): boolean {
    return (this.flags & personFlags.owner) !== 0
  }
  get is_active(): boolean {
    return (this.flags & personFlags.deactivated) === 0
  }
  get entry(): DirectoryEntry {
    return [this.user_id, this.full_name, this.flags, this.#avatar_version]
  }
}

/**
 * The accounts of a directory as one array per field, sorted by id. The browser stores and reads them many
 * times faster than an array per account.
 */
export interface DirectoryColumns {
  readonly ids: Float64Array<ArrayBuffer>
  /** Full names, joined by NUL, which no name contains. */
  readonly names: string
  readonly flags: Uint8Array<ArrayBuffer>
  readonly versions: Uint32Array<ArrayBuffer>
}

const separator = '\0'

export const toColumns = (people: readonly DirectoryEntry[]): DirectoryColumns => ({
  ids: Float64Array.from(people, ([user_id]) => user_id),
  names: people.map(([, full_name]) => full_name).join(separator),
  flags: Uint8Array.from(people, ([, , flags]) => flags),
  versions: Uint32Array.from(people, ([, , , version]) => version),
})

/**
 * All accounts of the organization, in arrays that take about 70 bytes per account. `Person`
 * objects are created on demand and cached. Events keep the directory up to date.
 */
export class Directory {
  #columns = toColumns([])
  #names: readonly string[] = []
  /** `Person` objects that were created so far, by their index in the columns. */
  #people: (Person | undefined)[] = []
  /** Accounts that were added or changed since the directory was fetched. */
  readonly #changed = new Map<UserId, Person>()
  /** Accounts of the fetched directory that this account, a guest, no longer sees. */
  readonly #hidden = new Set<UserId>()

  /** Replaces the directory by a fetched or stored one. */
  replace(columns: DirectoryColumns): void {
    this.#columns = columns
    this.#names = columns.names.split(separator)
    this.#people = []
    this.#changed.clear()
    this.#hidden.clear()
  }

  get(user_id: UserId): Person | undefined {
    const changed = this.#changed.get(user_id)
    if (changed || this.#hidden.has(user_id)) return changed
    const index = this.#findIndex(user_id)
    return index === undefined ? undefined : this.#personAt(index)
  }

  *values(): Generator<Person> {
    const { ids } = this.#columns
    for (let index = 0; index < ids.length; index++) {
      const user_id = ids[index] as UserId
      if (this.#hidden.has(user_id)) continue
      const changed = this.#changed.get(user_id)
      yield changed ?? this.#personAt(index)
    }
    for (const person of this.#changed.values())
      if (this.#findIndex(person.user_id) === undefined) yield person
  }

  /** Adds or replaces one account. */
  set(person: Person): void {
    this.#hidden.delete(person.user_id)
    this.#changed.set(person.user_id, person)
  }

  /** Applies an event. An event that the directory already includes changes nothing. */
  apply(event: UserEvent): void {
    if (event.op === 'add') {
      this.set(new Person(entryOf(event.person)))
      return
    }
    const known = this.get(event.person.user_id)
    if (!known) return
    if (event.op === 'remove' && event.person.is_hidden) this.#hide(known.user_id)
    else if (event.op === 'remove') this.set(withFlags(known, known.flags | personFlags.deactivated))
    else this.set(changePerson(known, event.person))
  }

  #hide(user_id: UserId): void {
    this.#changed.delete(user_id)
    this.#hidden.add(user_id)
  }

  #personAt(index: number): Person {
    const { ids, flags, versions } = this.#columns
    this.#people[index] ??= new Person([
      ids[index] as UserId,
      this.#names[index] as string,
      flags[index] as number,
      versions[index] as number,
    ])
    return this.#people[index]
  }

  #findIndex(user_id: UserId): number | undefined {
    const { ids } = this.#columns
    let [low, high] = [0, ids.length - 1]
    while (low <= high) {
      const middle = (low + high) >> 1
      const found = ids[middle] as number
      if (found === user_id) return middle
      if (found < user_id) low = middle + 1
      else high = middle - 1
    }
    return undefined
  }
}

interface ListedAccount {
  user_id: UserId
  full_name: string
  is_bot: boolean
  is_guest: boolean
  is_admin: boolean
  is_owner: boolean
  avatar_version: number
  is_active?: boolean
}

/** Returns the directory entry of an account, given its full description in an event or the state. */
export function entryOf(account: ListedAccount): DirectoryEntry {
  const { user_id, full_name, avatar_version, is_active = true } = account
  const flags =
    (account.is_bot ? personFlags.bot : 0) +
    (account.is_guest ? personFlags.guest : 0) +
    (account.is_admin ? personFlags.administrator : 0) +
    (account.is_owner ? personFlags.owner : 0) +
    (is_active ? 0 : personFlags.deactivated)
  return [user_id, full_name, flags, avatar_version]
}

function changePerson(person: Person, change: PersonChange): Person {
  const [user_id, full_name, flags, version] = person.entry
  if ('full_name' in change) return new Person([user_id, change.full_name, flags, version])
  if ('avatar_version' in change) return new Person([user_id, full_name, flags, change.avatar_version])
  return 'role' in change ? withFlags(person, (flags & ~roleFlags) | flagsOfRole(change.role)) : person
}

function withFlags(person: Person, flags: number): Person {
  const [user_id, full_name, , version] = person.entry
  return new Person([user_id, full_name, flags, version])
}

function flagsOfRole(role: Role): number {
  return (
    (role === Roles.guest ? personFlags.guest : 0) +
    (isAdministrator(role) ? personFlags.administrator : 0) +
    (role === Roles.owner ? personFlags.owner : 0)
  )
}
