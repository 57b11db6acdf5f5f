import type { DraftId, UserId } from '@oxbow/contract'
import { isSaved, type KeptDraft } from '../writing/drafts.ts'
import type { OutboxEntry } from '../writing/outbox-entry.ts'
import { type Change, Database, deleteDatabase, listDatabases } from './database.ts'

/**
 * The stores with texts that a person typed. When a session ends without a sign-out, texts that the server
 * does not have are kept for the account; messages are not.
 */
const textStores = ['drafts', 'outbox'] as const

type TextStore = (typeof textStores)[number]
export type Texts = Record<TextStore, Map<unknown, unknown>>

/** Texts of an account that did not sign in for this long are deleted. A trusted session lasts as long. */
const maxAgeMs = 30 * 86_400_000

/** Deletes everything in a database except texts that would be lost. Returns whether there are any. */
export async function keepTexts(database: Database): Promise<boolean> {
  await database.clear(['state', 'windows', 'messages'])
  const texts = await database.readAll(textStores)
  const oldest = Date.now() - maxAgeMs
  const drafts = [...texts.drafts].filter(([, draft]) => !isDraftToKeep(draft as StoredDraft, oldest))
  const entries = [...texts.outbox].filter(([, entry]) => !isEntryToKeep(entry as OutboxEntry, oldest))
  await database.write([...toChanges('drafts', drafts), ...toChanges('outbox', entries)])
  return drafts.length + entries.length < texts.drafts.size + texts.outbox.size
}

/** A draft, or the ids of copies on the server that are to be removed. */
type StoredDraft = KeptDraft | readonly DraftId[]

const isDraftToKeep = (draft: StoredDraft, oldest: number): boolean =>
  'target' in draft ? !isSaved(draft) && draft.changed_at > oldest : draft.length > 0

const isEntryToKeep = ({ message_id, created_at }: OutboxEntry, oldest: number): boolean =>
  message_id === undefined && created_at > oldest

/** Returns changes that delete records. */
const toChanges = (store: TextStore, records: readonly (readonly [unknown, unknown])[]): Change[] =>
  records.map(([key]) => ({ store, key: key as string }))

/** Deletes the databases of all accounts except `own`, but keeps texts that would be lost. */
export async function keepTextsOfOthers(own: UserId | undefined): Promise<void> {
  for (const user_id of await listDatabases()) {
    if (user_id === own) continue
    const database = await Database.open(user_id)
    const hasTexts = await keepTexts(database)
    database.close()
    if (!hasTexts) deleteDatabase(user_id)
  }
}

/** Reads the texts in the database of an account, and deletes it; undefined if there is none. */
export async function takeTexts(user_id: UserId): Promise<Texts | undefined> {
  if (!(await listDatabases()).includes(user_id)) return undefined
  const database = await Database.open(user_id)
  const texts = await database.readAll(textStores)
  database.close()
  deleteDatabase(user_id)
  return texts
}

/** Reads the texts of all accounts except `own`, because a sign-out makes the browser delete all data. */
export async function readTextsOfOthers(own: UserId | undefined): Promise<Map<UserId, Texts>> {
  const found = new Map<UserId, Texts>()
  for (const user_id of await listDatabases()) {
    if (user_id === own) continue
    const database = await Database.open(user_id)
    found.set(user_id, await database.readAll(textStores))
    database.close()
  }
  return found
}

/** Stores texts again that `readTextsOfOthers` has read. */
export async function restoreTexts(found: ReadonlyMap<UserId, Texts>): Promise<void> {
  for (const [user_id, texts] of found) {
    const changes = textStores.flatMap((store) =>
      [...texts[store]].map(([key, value]): Change => ({ store, key: key as string, value })),
    )
    const database = await Database.open(user_id)
    await database.write(changes)
    database.close()
  }
}
