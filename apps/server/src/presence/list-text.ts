import { setImmediate } from 'node:timers/promises'
import type { OrganizationId } from '@oxbow/contract'
import { displayEmail } from '../organization/display-email.ts'
import type { App } from '../platform/app.ts'
import type { Db } from '../platform/database/database.ts'
import { JsonText } from '../platform/pieces.ts'
import { listPresence, type PersonPresence } from './queries.ts'
import { viewByClient, viewSlim } from './views.ts'

interface ListOptions {
  /** By id, with the newest times only. */
  isSlim?: boolean
  /** Who sees addresses; what the organization has at the time of reading where it is not given. */
  email_address_visibility?: number
}

/** Everyone's presence as it is sent: by id, or by the address that is shown. A hundred thousand are 25 MB, or 7 slim. */
export async function readListText(
  { config }: Pick<App, 'config'>,
  db: Db,
  organization_id: OrganizationId,
  { isSlim = false, email_address_visibility }: ListOptions,
): Promise<JsonText> {
  const shown = (person: PersonPresence) =>
    email_address_visibility === undefined ? person : { ...person, email_address_visibility }
  const entry = (person: PersonPresence) => {
    const key = JSON.stringify(isSlim ? String(person.id) : displayEmail(config, shown(person)))
    return `${key}:${JSON.stringify(isSlim ? viewSlim(person) : viewByClient(person))}`
  }
  const pieces: string[] = []
  for await (const people of listPresence(db, organization_id)) {
    if (pieces.length > 0) await setImmediate()
    pieces.push(`${pieces.length === 0 ? '' : ','}${people.map(entry).join(',')}`)
  }
  return new JsonText(['{', ...pieces, '}'])
}
