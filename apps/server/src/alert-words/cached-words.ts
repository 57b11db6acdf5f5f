import type { OrganizationId, UserId } from '@oxbow/contract'
import { findAlertWords } from '@oxbow/markdown'
import { coherentCache } from '../events/coherent-cache.ts'
import type { App } from '../platform/app.ts'
import { coalesce } from '../platform/database/coalesce.ts'
import { type AlertWord, listAlertWordsOfOrganizations } from './queries.ts'

interface AlertWords {
  words: ReadonlySet<string>
  usersOf: ReadonlyMap<string, readonly UserId[]>
}

/** The subject that nodes invalidate when an account's words change. */
export const wordsSubject = 'alert words'

const cacheOf = coherentCache<AlertWords>()
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
  const known = await cacheOf(app).get(`${organization_id}`, async () => {
    const value = (await readAlertWords(app.db, organization_id)) ?? emptyIndex
    return { value, organization_id, user_id: noUser, subject: wordsSubject }
  })
  if (!known || known.words.size === 0) return noUsers
  return new Set(findAlertWords(content, known.words).flatMap((word) => known.usersOf.get(word) ?? []))
}

const noUsers: ReadonlySet<UserId> = new Set()

/** Coalesced, because after a change many sends may need the words at once, and they may be many. */
const readAlertWords = coalesce<OrganizationId, AlertWords>(async (db, keys) => {
  const rows = await listAlertWordsOfOrganizations(db, [...new Set(keys)])
  const byOrganization = Map.groupBy(rows, ({ organization_id }) => organization_id)
  const indexes = new Map([...byOrganization].map(([id, entries]) => [id, buildIndex(entries)]))
  return keys.map((key) => indexes.get(key))
})

function buildIndex(entries: readonly AlertWord[]): AlertWords {
  const usersOf = new Map<string, UserId[]>()
  for (const { word, user_id } of entries) {
    const users = usersOf.get(word)
    if (users) users.push(user_id)
    else usersOf.set(word, [user_id])
  }
  return { words: new Set(usersOf.keys()), usersOf }
}

const emptyIndex = buildIndex([])
