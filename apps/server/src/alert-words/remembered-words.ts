import type { OrganizationId, UserId } from '@oxbow/contract'
import { findAlertWords } from '@oxbow/markdown'
import { coherentCache } from '../events/coherent-cache.ts'
import type { App } from '../platform/app.ts'
import { coalesce } from '../platform/database/coalesce.ts'
import { type AlertWord, listAlertWordsIn } from './queries.ts'

interface AlertWords {
  words: ReadonlySet<string>
  usersOf: ReadonlyMap<string, readonly UserId[]>
}

/** What nodes forget when someone's words change. */
export const wordsSubject = 'alert words'

const cacheOf = coherentCache<AlertWords>()
const nobody = 0 as UserId

/** Whom a text alerts. All words of the organization are looked for at once: it costs the same however many have some. */
export async function findAlerted(
  app: App,
  organization_id: OrganizationId,
  content: string,
): Promise<ReadonlySet<UserId>> {
  const known = await cacheOf(app).get(`${organization_id}`, async () => {
    const value = (await readAlertWords(app.db, organization_id)) ?? none
    return { value, organization_id, user_id: nobody, subject: wordsSubject }
  })
  if (!known || known.words.size === 0) return nobodyAlerted
  return new Set(findAlertWords(content, known.words).flatMap((word) => known.usersOf.get(word) ?? []))
}

const nobodyAlerted: ReadonlySet<UserId> = new Set()

/** After a change many sends may want them at once, and they may be many. */
const readAlertWords = coalesce<OrganizationId, AlertWords>(async (db, keys) => {
  const rows = await listAlertWordsIn(db, [...new Set(keys)])
  const byOrganization = Map.groupBy(rows, ({ organization_id }) => organization_id)
  const indexes = new Map([...byOrganization].map(([id, entries]) => [id, indexOf(entries)]))
  return keys.map((key) => indexes.get(key))
})

function indexOf(entries: readonly AlertWord[]): AlertWords {
  const usersOf = new Map<string, UserId[]>()
  for (const { word, user_id } of entries) {
    const users = usersOf.get(word)
    if (users) users.push(user_id)
    else usersOf.set(word, [user_id])
  }
  return { words: new Set(usersOf.keys()), usersOf }
}

const none = indexOf([])
