import { ApiError, type api, countCharacters, type ParamsOf, type ResponseOf } from '@oxbow/contract'
import { writeAs } from '../../../../identity/write-as.ts'
import type { Actor } from '../../../../platform/actor.ts'
import type { App } from '../../../../platform/app.ts'
import { accessOwnUser } from '../../access.ts'
import { countOtherCharacters, listStored, removeStored, storeTexts } from './queries.ts'

type Storage = typeof api.botStorage

export async function readStorage(
  { db }: App,
  actor: Actor,
  params: ParamsOf<Storage['read']>,
): Promise<ResponseOf<Storage['read']>> {
  const keys = readKeys(params.keys)
  const stored = await listStored(db, actor, keys)
  if (keys !== 'all' && stored.length < keys.length) throw new ApiError('STORAGE_KEY_UNKNOWN')
  return { storage: Object.fromEntries(stored.map(({ key, value }) => [key, value])) }
}

export async function writeStorage(
  app: App,
  actor: Actor,
  { storage }: ParamsOf<Storage['write']>,
): Promise<object> {
  const { bot_storage_characters: limit } = app.config
  const texts = Object.entries(storage)
  const addedCharacters = texts.flat().reduce((sum, text) => sum + countCharacters(text), 0)
  return writeAs(app, actor, async (tx) => {
    // Locks the account, so that two concurrent writes together cannot exceed the limit.
    await accessOwnUser(tx, actor)
    const others = await countOtherCharacters(tx, actor, Object.keys(storage))
    const excess = others + addedCharacters - limit
    if (excess > 0) throw new ApiError('STORAGE_FULL', { excess, limit })
    await storeTexts(tx, actor, texts)
    return {}
  })
}

/** Deletes the given keys, or none of them if one does not exist. */
export async function removeFromStorage(
  app: App,
  actor: Actor,
  params: ParamsOf<Storage['remove']>,
): Promise<object> {
  const keys = readKeys(params.keys)
  return writeAs(app, actor, async (tx) => {
    await accessOwnUser(tx, actor)
    const removed = await removeStored(tx, actor, keys)
    if (keys !== 'all' && removed < keys.length) throw new ApiError('STORAGE_KEY_UNKNOWN')
    return {}
  })
}

function readKeys(keys: readonly string[] = []): readonly string[] | 'all' {
  return keys.length === 0 ? 'all' : [...new Set(keys)]
}
