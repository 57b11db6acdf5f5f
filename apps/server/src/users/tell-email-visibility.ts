import { setImmediate } from 'node:timers/promises'
import type { OrganizationId } from '@oxbow/contract'
import { emit } from '../events/emit.ts'
import { displayEmail, visibleTo } from '../organization/display-email.ts'
import type { App } from '../platform/app.ts'
import type { Config } from '../platform/config/settings.ts'
import type { Tx } from '../platform/database/database.ts'
import type { OrganizationRow } from '../platform/database/tables.ts'
import { avatarsProvided, shownEmailsChanged, sightOfAdministratorsChanged } from './events.ts'
import { hideKeptAddresses } from './hide-kept-addresses.ts'
import { type AddressedUser, listAddressesInLists } from './queries.ts'
import { mostInRecord } from './sight-of-emails.ts'

/**
 * Other people see addresses from now on. Everyone is told what everyone is called, in few records, however many they
 * are. The roles must be held alone: nobody comes or gets another address meanwhile.
 */
export async function tellEmailVisibility(
  { config }: Pick<App, 'config'>,
  tx: Tx,
  { id, email_address_visibility: before }: Pick<OrganizationRow, 'id' | 'email_address_visibility'>,
  after: number,
): Promise<void> {
  if (before === after) return
  const lists = await listAddressesInLists(tx, id, mostInRecord)
  if (before === visibleTo.everyone || after === visibleTo.everyone)
    await inTurns(lists, (users) => tellShownEmails(config, tx, id, users, after))
  if (before === visibleTo.administrators || after === visibleTo.administrators)
    tellAdministrators(tx, id, lists, after === visibleTo.administrators)
  if (before !== visibleTo.everyone) return
  await inTurns(lists, (users) => tellAvatars(tx, id, users))
  await hideKeptAddresses(config, tx, id, lists.flat())
}

/** There may be hundreds of thousands of people: others have their turn in between. */
async function inTurns<List>(lists: readonly List[], tell: (list: List) => void): Promise<void> {
  for (const list of lists) {
    tell(list)
    await setImmediate()
  }
}

function tellShownEmails(
  config: Config,
  tx: Tx,
  organization_id: OrganizationId,
  users: readonly AddressedUser[],
  email_address_visibility: number,
): void {
  const people = users
    .filter(({ bot_type }) => bot_type === null)
    .map((user) => ({ id: user.id, email: displayEmail(config, { ...user, email_address_visibility }) }))
  if (people.length > 0) emit(tx, shownEmailsChanged(organization_id, people))
}

function tellAdministrators(
  tx: Tx,
  id: OrganizationId,
  lists: readonly AddressedUser[][],
  isSeen: boolean,
): void {
  for (const users of lists) emit(tx, sightOfAdministratorsChanged(id, users, isSeen))
  // Once more: a client knows by the others that its own address, which it always knows, is shown in the list as well.
  const first = lists[0]?.[0]
  if (first) emit(tx, sightOfAdministratorsChanged(id, [first], isSeen))
}

/** Clients that compute pictures from addresses get ours for people who uploaded none. */
function tellAvatars(tx: Tx, organization_id: OrganizationId, users: readonly AddressedUser[]): void {
  const of = users
    .filter(({ avatar_source }) => avatar_source === 'external')
    .map(({ id, avatar_version }) => [id, String(id), avatar_version] as const)
  // Nodes of the release before put the parts together to `/avatar/{id}?…`, which leads to the same picture.
  if (of.length > 0) emit(tx, avatarsProvided(organization_id, { provider: '', organization_id, of }))
}
