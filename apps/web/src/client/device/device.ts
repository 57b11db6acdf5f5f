import { signal } from '@preact/signals'
import { type DeviceAccount, readAccount } from './account.ts'
import { type Change, Database, deleteDatabase, type StoreName, type WriteOptions } from './database.ts'
import { keepTexts, keepTextsOfOthers, type Texts, takeTexts } from './kept-texts.ts'

/** The account of the session with which this page was opened. */
export const deviceAccount: DeviceAccount | undefined =
  typeof document === 'undefined' ? undefined : readAccount(document.cookie)

/** Whether written data outlives the page. False if the browser refuses to store data. */
export const isKept = signal(false)

let opened: Promise<Database | undefined> = Promise.resolve(undefined)

/**
 * Opens the database of the account if its session is trusted. Failures are ignored: the client works
 * without a database. Of other accounts only texts are kept that would be lost otherwise.
 */
export function startDevice(): void {
  opened = open().catch(() => undefined)
}

async function open(): Promise<Database | undefined> {
  const { user_id, isTrusted } = deviceAccount ?? {}
  void keepTextsOfOthers(user_id).catch(() => undefined)
  if (user_id === undefined) return undefined
  if (!isTrusted) {
    inherited = await takeTexts(user_id)
    return undefined
  }
  const database = await Database.open(user_id, stopKeeping)
  isKept.value = true
  return database
}

/** Texts of an earlier, trusted session of the account, if the present one is not trusted. */
let inherited: Texts | undefined

function stopKeeping(): void {
  isKept.value = false
  opened = Promise.resolve(undefined)
}

/** Reads all records of some stores; undefined without a database. */
export async function readDevice<Name extends StoreName>(
  names: readonly Name[],
): Promise<Record<Name, Map<unknown, unknown>> | undefined> {
  const database = await opened
  if (!database)
    return inherited && names.every((name) => name in (inherited ?? {}))
      ? (inherited as Record<StoreName, Map<unknown, unknown>>)
      : undefined
  return database.readAll(names).catch(() => undefined)
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
 * Deletes what is stored of the account of this page, except texts that would be lost. Called when its
 * session has ended without a sign-out in this browser.
 */
export async function keepOnlyTexts(): Promise<void> {
  const database = await opened
  if (!database || deviceAccount === undefined) return
  if (await keepTexts(database).catch(() => true)) return
  stopKeeping()
  database.close()
  deleteDatabase(deviceAccount.user_id)
}

/** Deletes the stored data of the account, as after signing out. */
export async function deleteStoredData(): Promise<void> {
  const database = await opened
  stopKeeping()
  database?.close()
  if (deviceAccount) deleteDatabase(deviceAccount.user_id)
}
