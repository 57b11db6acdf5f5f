import { ApiError, type api, maxAlertWords, type ParamsOf, type ResponseOf } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import { lockSettings } from '../../identity/lock-settings.ts'
import { writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import { wordsSubject } from './cached-words.ts'
import { deleteAlertWords, insertAlertWords, listAlertWordsOfUser } from './queries.ts'

type ListResponse = ResponseOf<typeof api.alertWords.list>

export async function listAlertWords({ db }: App, actor: Actor): Promise<ListResponse> {
  return { alert_words: await listAlertWordsOfUser(db, actor) }
}

/**
 * Adds alert words. A word that the account already has keeps its spelling. If one request has
 * several spellings of a new word, the last one is stored.
 */
export function addAlertWords(
  app: App,
  actor: Actor,
  { alert_words }: ParamsOf<typeof api.alertWords.add>,
): Promise<ListResponse> {
  const trimmedWords = alert_words.map((word) => word.trim()).filter((word) => word !== '')
  const spellings = new Map(trimmedWords.map((word) => [word.toLowerCase(), word]))
  return changeWords(app, actor, async (tx) => {
    refuseTooManyWords(spellings.size)
    const isChanged = await insertAlertWords(tx, actor, spellings)
    refuseTooManyWords((await listAlertWordsOfUser(tx, actor)).length)
    return isChanged
  })
}

function refuseTooManyWords(count: number): void {
  if (count > maxAlertWords) throw new ApiError('TOO_MANY_ALERT_WORDS', { limit: maxAlertWords })
}

export function removeAlertWords(
  app: App,
  actor: Actor,
  { alert_words }: ParamsOf<typeof api.alertWords.remove>,
): Promise<ListResponse> {
  const words = alert_words.map((word) => word.trim().toLowerCase())
  return changeWords(app, actor, (tx) => deleteAlertWords(tx, actor, words))
}

/**
 * Runs `work` while the account's settings are locked, and emits the complete list if it changed.
 */
function changeWords(app: App, actor: Actor, work: (tx: Tx) => Promise<boolean>): Promise<ListResponse> {
  const { organization_id, user_id } = actor
  return writeAs(app, actor, async (tx) => {
    await lockSettings(tx, actor)
    const isChanged = await work(tx)
    const alert_words = await listAlertWordsOfUser(tx, actor)
    if (isChanged)
      emit(tx, {
        organization_id,
        event: { type: 'alert_words', alert_words },
        to: { users: [user_id] },
        effects: [{ kind: 'organization', subject: wordsSubject }],
      })
    return { alert_words }
  })
}
