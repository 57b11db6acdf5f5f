import { setImmediate } from 'node:timers/promises'
import type { OrganizationId, UserId } from '@oxbow/contract'
import { displayEmail } from '../../identity/accounts/public-account.ts'
import type { App } from '../../platform/app.ts'
import type { Db } from '../../platform/database/database.ts'
import { JsonText } from '../../platform/pieces.ts'
import { type PersonPresence, readPresencePages } from './queries.ts'
import { toPresenceByClient, toSlimPresence } from './views.ts'

interface ListOptions {
  /** Keys entries by user id, and includes only the newest timestamps. */
  isSlim?: boolean
  /** Address visibility to apply. By default, the organization's current one. */
  email_address_visibility?: number
  /** Includes only these users; everyone by default. */
  ids?: readonly UserId[] | undefined
}

/**
 * Reads presence as JSON, keyed by id or display address. The presence of a hundred
 * thousand users takes 25 MB, or 7 MB in slim form.
 */
export async function readPresenceJson(
  { config }: Pick<App, 'config'>,
  db: Db,
  organization_id: OrganizationId,
  { isSlim = false, email_address_visibility, ids }: ListOptions,
): Promise<JsonText> {
  const toPresence = (person: PersonPresence) =>
    email_address_visibility === undefined ? person : { ...person, email_address_visibility }
  const entry = (person: PersonPresence) => {
    const key = JSON.stringify(isSlim ? String(person.id) : displayEmail(config, toPresence(person)))
    return `${key}:${JSON.stringify(isSlim ? toSlimPresence(person) : toPresenceByClient(person))}`
  }
  const pieces: string[] = []
  for await (const people of readPresencePages(db, organization_id, ids)) {
    if (pieces.length > 0) await setImmediate()
    pieces.push(`${pieces.length === 0 ? '' : ','}${people.map(entry).join(',')}`)
  }
  return new JsonText(['{', ...pieces, '}'])
}
