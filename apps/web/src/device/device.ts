import { signal } from '@preact/signals'
import { type DeviceAccount, readAccount } from './account.ts'
import { type Change, Database, deleteDatabases, type StoreName, type WriteOptions } from './database.ts'
import { listWorkerNotifications } from './worker-notifications.ts'

/** The account of the session with which this page was opened. */
export const deviceAccount: DeviceAccount | undefined =
  typeof document === 'undefined' ? undefined : readAccount(document.cookie)

/** Whether written data outlives the page. False if the browser refuses to store data. */
export const isKept = signal(false)

let opened: Promise<Database | undefined> = Promise.resolve(undefined)

/**
 * Opens the database of the account if its session is trusted, and deletes the databases of other
 * accounts. Failures are ignored: the client works without a database.
 */
export function startDevice(): void {
  const { user_id, isTrusted } = deviceAccount ?? {}
  const kept = isTrusted ? user_id : undefined
  opened = open(kept).catch(() => undefined)
  addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') checkAccount()
  })
}

async function open(user_id: number | undefined): Promise<Database | undefined> {
  void deleteDatabases(user_id).catch(() => undefined)
  if (user_id === undefined) return undefined
  const database = await Database.open(user_id, stopKeeping)
  isKept.value = true
  return database
}

function stopKeeping(): void {
  isKept.value = false
  opened = Promise.resolve(undefined)
}

/** Reloads the page if another account has signed in to this browser. */
function checkAccount(): void {
  const now = readAccount(document.cookie)
  if (deviceAccount && now && now.user_id !== deviceAccount.user_id) location.reload()
}

/** Reads all records of some stores; undefined without a database. */
export async function readDevice<Name extends StoreName>(
  names: readonly Name[],
): Promise<Record<Name, Map<unknown, unknown>> | undefined> {
  const database = await opened
  return database?.readAll(names).catch(() => undefined)
}

/** Reads a record; undefined if it is missing. Rejects without a database. */
export async function readRecord(store: StoreName, key: string | number): Promise<unknown> {
  const database = await opened
  if (!database) throw new Error('Nothing is kept on this device')
  return database.read(store, key)
}

/** Writes changes in one transaction. Returns whether they were stored. */
export async function writeDevice(changes: readonly Change[], options?: WriteOptions): Promise<boolean> {
  const database = await opened
  if (!database) return false
  try {
    await database.write(changes, options)
    return true
  } catch {
    return false
  }
}

/** Deletes the records of some stores. */
export async function clearDevice(names: readonly StoreName[]): Promise<void> {
  const database = await opened
  await database?.clear(names).catch(() => undefined)
}

/**
 * Deletes the stored data of all accounts, as after signing out. Also closes notifications, because they
 * quote messages.
 */
export async function deleteStoredData(): Promise<void> {
  const database = await opened
  stopKeeping()
  database?.close()
  await deleteDatabases().catch(() => undefined)
  for (const notification of await listWorkerNotifications()) notification.close()
}
