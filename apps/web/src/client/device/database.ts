import type { UserId } from '@oxbow/contract'

/**
 * Object stores of an account's database. `drafts` and `outbox` contain texts of the user; the
 * others can be fetched again.
 */
const stores = ['drafts', 'outbox', 'state', 'windows', 'messages'] as const
export type StoreName = (typeof stores)[number]

/** Increased when the format of records changes; older records are deleted, except the user's texts. */
const version = 1

/** A record to write, or to delete if it has no value. */
export interface Change {
  readonly store: StoreName
  readonly key: string | number
  readonly value?: unknown
}

export interface WriteOptions {
  /** Waits until the changes are flushed to disk, instead of only passed to the operating system. */
  isStrict?: boolean
  /** Stores to clear first, in the same transaction. */
  replaces?: readonly StoreName[]
}

/** Number of records per task, small enough that writing never delays a key press. */
const recordsPerTask = 50

const prefix = 'oxbow/'
const nameOf = (user_id: UserId): string => `${prefix}${user_id}`

/** The database of one account of this organization; each organization has its own origin. */
export class Database {
  readonly #database: IDBDatabase

  /** Opens the database. Rejects if the browser does not allow it, as in some private browsing modes. */
  static async open(user_id: UserId, onClosed = () => {}): Promise<Database> {
    const request = indexedDB.open(nameOf(user_id), version)
    request.onupgradeneeded = () => {
      const { result } = request
      for (const name of stores) {
        const isUserText = name === 'drafts' || name === 'outbox'
        if (result.objectStoreNames.contains(name) && !isUserText) result.deleteObjectStore(name)
        if (!result.objectStoreNames.contains(name)) result.createObjectStore(name)
      }
    }
    return new Database(await resultOf(request), onClosed)
  }

  private constructor(database: IDBDatabase, onClosed: () => void) {
    this.#database = database
    // Another tab is deleting the database, or a newer build is changing it.
    database.onversionchange = () => {
      database.close()
      onClosed()
    }
    database.onclose = onClosed
  }

  /** Reads all records of some stores in one transaction. */
  async readAll<Name extends StoreName>(
    names: readonly Name[],
  ): Promise<Record<Name, Map<unknown, unknown>>> {
    const transaction = this.#database.transaction(names, 'readonly')
    const read = names.map(async (name) => {
      const store = transaction.objectStore(name)
      const [keys, values] = await Promise.all([resultOf(store.getAllKeys()), resultOf(store.getAll())])
      return [name, new Map(keys.map((key, index) => [key as unknown, values[index] as unknown]))]
    })
    return Object.fromEntries(await Promise.all(read))
  }

  async read(name: StoreName, key: string | number): Promise<unknown> {
    return resultOf(this.#database.transaction(name, 'readonly').objectStore(name).get(key))
  }

  /** Writes all changes or none. */
  async write(
    changes: readonly Change[],
    { isStrict = false, replaces = [] }: WriteOptions = {},
  ): Promise<void> {
    if (changes.length === 0) return
    const names = [...new Set([...replaces, ...changes.map(({ store }) => store)])]
    const durability = isStrict ? 'strict' : 'relaxed'
    const transaction = this.#database.transaction(names, 'readwrite', { durability })
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error ?? new Error('The transaction was aborted'))
    try {
      for (const name of replaces) transaction.objectStore(name).clear()
      for (let start = 0; start < changes.length; start += recordsPerTask) {
        const requests = changes.slice(start, start + recordsPerTask).map(({ store, key, value }) => {
          const records = transaction.objectStore(store)
          return value === undefined ? records.delete(key) : records.put(value, key)
        })
        // The next records are written when these have succeeded.
        const last = requests.at(-1)
        if (last && start + recordsPerTask < changes.length) await resultOf(last as IDBRequest<unknown>)
      }
    } catch (error) {
      promise.catch(() => {})
      throw error
    }
    return promise
  }

  async clear(names: readonly StoreName[]): Promise<void> {
    const transaction = this.#database.transaction(names, 'readwrite')
    await Promise.all(names.map((name) => resultOf(transaction.objectStore(name).clear())))
  }

  close(): void {
    this.#database.close()
  }
}

function resultOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>()
  request.onsuccess = () => resolve(request.result)
  request.onerror = () => reject(request.error)
  return promise
}

/** Lists the accounts of this organization that have a database. */
export async function listDatabases(): Promise<UserId[]> {
  const found = await indexedDB.databases()
  return found.flatMap(({ name = '' }) =>
    name.startsWith(prefix) ? (Number(name.slice(prefix.length)) as UserId) : [],
  )
}

/** Deletes the database of an account. Pages that have it open continue without it. */
export function deleteDatabase(user_id: UserId): void {
  indexedDB.deleteDatabase(nameOf(user_id))
}
