import type { OrganizationId, UserId } from '@oxbow/contract'
import { findAlertWords } from '@oxbow/markdown'
import { coherentCache } from '../../events/coherent-cache.ts'
import type { App } from '../../platform/app.ts'
import { coalesce } from '../../platform/database/coalesce.ts'
import { type AlertWord, listAlertWordsOfOrganizations } from './queries.ts'

interface AlertWords {
  words: ReadonlySet<string>
  usersByWord: ReadonlyMap<string, readonly UserId[]>
}

/** Cache subject of alert words, invalidated on all nodes when an account's words change. */
export const wordsSubject = 'alert words'

const getCache = coherentCache<AlertWords>('alert words')
const noUser = 0 as UserId

/**
 * Returns the users whose alert words occur in a text. Searches for all words of the organization
 * at once, so the cost does not depend on their number.
 */
export async function findAlertedUsers(
  app: App,
  organization_id: OrganizationId,
  content: string,
): Promise<ReadonlySet<UserId>> {
  const index = await getCache(app).get(`${organization_id}`, async () => {
    const value = (await readAlertWords(app.db, organization_id)) ?? emptyIndex
    return { value, organization_id, user_id: noUser, subject: wordsSubject }
  })
  if (!index || index.words.size === 0) return noUsers
  return new Set(findAlertWords(content, index.words).flatMap((word) => index.usersByWord.get(word) ?? []))
}

const noUsers: ReadonlySet<UserId> = new Set()

/**
 * Concurrent calls share one query: after a change many sends read the words at once, and an
 * organization may have thousands of words.
 */
const readAlertWords = coalesce<OrganizationId, AlertWords>(async (db, keys) => {
  const rows = await listAlertWordsOfOrganizations(db, [...new Set(keys)])
  const byOrganization = Map.groupBy(rows, ({ organization_id }) => organization_id)
  const indexes = new Map([...byOrganization].map(([id, entries]) => [id, buildIndex(entries)]))
  return keys.map((key) => indexes.get(key))
})

function buildIndex(entries: readonly AlertWord[]): AlertWords {
  const usersByWord = new Map<string, UserId[]>()
  for (const { word, user_id } of entries) {
    const users = usersByWord.get(word)
    if (users) users.push(user_id)
    else usersByWord.set(word, [user_id])
  }
  return { words: new Set(usersByWord.keys()), usersByWord }
}

const emptyIndex = buildIndex([])
