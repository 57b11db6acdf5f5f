import { ApiError, type api, maxAlertWords, type ParamsOf, type ResponseOf } from '@oxbow/contract'
import { emit } from '../events/emit.ts'
import { lockSettings } from '../identity/lock-settings.ts'
import { writeAs } from '../identity/write-as.ts'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/database/database.ts'
import { deleteAlertWords, insertAlertWords, listAlertWordsOf } from './queries.ts'
import { wordsSubject } from './remembered-words.ts'

type Answer = ResponseOf<typeof api.alertWords.list>

export async function listAlertWords({ db }: App, actor: Actor): Promise<Answer> {
  return { alert_words: await listAlertWordsOf(db, actor) }
}

/** Of two spellings of one word the one that is there stays; in one call the last one counts. */
export function addAlertWords(
  app: App,
  actor: Actor,
  { alert_words }: ParamsOf<typeof api.alertWords.add>,
): Promise<Answer> {
  const written = alert_words.map((word) => word.trim()).filter((word) => word !== '')
  const spellings = new Map(written.map((word) => [word.toLowerCase(), word]))
  return change(app, actor, async (tx) => {
    refuseTooMany(spellings.size)
    const isChanged = await insertAlertWords(tx, actor, spellings)
    refuseTooMany((await listAlertWordsOf(tx, actor)).length)
    return isChanged
  })
}

function refuseTooMany(count: number): void {
  if (count > maxAlertWords) throw new ApiError('TOO_MANY_ALERT_WORDS', { limit: maxAlertWords })
}

export function removeAlertWords(
  app: App,
  actor: Actor,
  { alert_words }: ParamsOf<typeof api.alertWords.remove>,
): Promise<Answer> {
  const words = alert_words.map((word) => word.trim().toLowerCase())
  return change(app, actor, (tx) => deleteAlertWords(tx, actor, words))
}

/** The list is told whole, by whoever holds the row that owns it. */
function change(app: App, actor: Actor, work: (tx: Tx) => Promise<boolean>): Promise<Answer> {
  const { organization_id, user_id } = actor
  return writeAs(app, actor, async (tx) => {
    await lockSettings(tx, actor)
    const isChanged = await work(tx)
    const alert_words = await listAlertWordsOf(tx, actor)
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
