import type { OrganizationId, UserId } from '@oxbow/contract'
import { findAlertWords } from '@oxbow/markdown'
import { coherentCache } from '../../events/coherent-cache.ts'
import type { App } from '../../platform/app.ts'
import { listAlertWords } from './queries.ts'

interface AlertWords {
  words: ReadonlySet<string>
  usersOf: ReadonlyMap<string, readonly UserId[]>
}

const cacheOf = coherentCache<AlertWords>()
const nobody = 0 as UserId

/** Whom a text alerts. All words of the organization are looked for at once: it costs the same however many have some. */
export async function findAlerted(
  app: App,
  organization_id: OrganizationId,
  content: string,
): Promise<ReadonlySet<UserId>> {
  const { words, usersOf } = await readAlertWords(app, organization_id)
  return new Set(findAlertWords(content, words).flatMap((word) => usersOf.get(word) ?? []))
}

async function readAlertWords(app: App, organization_id: OrganizationId): Promise<AlertWords> {
  const known = await cacheOf(app).get(`${organization_id}`, async () => {
    const rows = await listAlertWords(app.db, organization_id)
    const byWord = Map.groupBy(rows, ({ word }) => word)
    const usersOf = new Map(
      [...byWord].map(([word, entries]) => [word, entries.map(({ user_id }) => user_id)]),
    )
    return { value: { words: new Set(usersOf.keys()), usersOf }, organization_id, user_id: nobody }
  })
  return known ?? { words: new Set(), usersOf: new Map() }
}
