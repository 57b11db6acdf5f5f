import { setImmediate } from 'node:timers/promises'
import type { OrganizationId } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import { displayEmail, emailVisibility } from '../../identity/accounts/public-account.ts'
import type { App } from '../../platform/app.ts'
import type { Config } from '../../platform/config/settings.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { OrganizationRow } from '../../platform/database/tables.ts'
import { maxPersonsPerRecord } from './emit-emails-for-role.ts'
import { avatarsProvided, emailsShownToAdministrators, shownEmailsChanged } from './events.ts'
import { hideAddressesInSavedResponses } from './hide-addresses-in-saved-responses.ts'
import { type AddressedUser, listAddressedUsersInChunks } from './queries.ts'

/**
 * Emits the effects of a changed `email_address_visibility`: display addresses to everyone,
 * delivery addresses to administrators, and avatar URLs to clients that computed them from
 * addresses. Each record covers up to `maxPersonsPerRecord` users. The role lock must be held
 * exclusively, so that no account is created and no address changes during the call.
 */
export async function emitEmailVisibility(
  { config }: Pick<App, 'config'>,
  tx: Tx,
  { id, email_address_visibility: before }: Pick<OrganizationRow, 'id' | 'email_address_visibility'>,
  after: number,
): Promise<void> {
  if (before === after) return
  const lists = await listAddressedUsersInChunks(tx, id, maxPersonsPerRecord)
  if (before === emailVisibility.everyone || after === emailVisibility.everyone)
    await forEachYielding(lists, (users) => emitShownEmails(config, tx, id, users, after))
  if (before === emailVisibility.administrators || after === emailVisibility.administrators)
    emitToAdministrators(tx, id, lists, after === emailVisibility.administrators)
  if (before !== emailVisibility.everyone) return
  await forEachYielding(lists, (users) => emitProvidedAvatars(tx, id, users))
  await hideAddressesInSavedResponses(config, tx, id, lists.flat())
}

/** Yields to the event loop after each list, because there may be hundreds of thousands of users. */
async function forEachYielding<List>(lists: readonly List[], emitChunk: (list: List) => void): Promise<void> {
  for (const list of lists) {
    emitChunk(list)
    await setImmediate()
  }
}

function emitShownEmails(
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

function emitToAdministrators(
  tx: Tx,
  id: OrganizationId,
  lists: readonly AddressedUser[][],
  isSeen: boolean,
): void {
  for (const users of lists) emit(tx, emailsShownToAdministrators(id, users, isSeen))
  // Repeats the first user, who may be the client's own account: clients show their own address in
  // the list only after they have the addresses of others.
  const first = lists[0]?.[0]
  if (first) emit(tx, emailsShownToAdministrators(id, [first], isSeen))
}

/**
 * Sends the avatars of users without an uploaded one to clients that computed the URLs from
 * addresses.
 */
function emitProvidedAvatars(tx: Tx, organization_id: OrganizationId, users: readonly AddressedUser[]): void {
  const of = users
    .filter(({ avatar_source }) => avatar_source === 'external')
    .map(({ id, avatar_version }) => [id, String(id), avatar_version] as const)
  // Nodes of the previous release build the URL `/avatar/{id}?…` from these fields. It redirects to
  // the same picture.
  if (of.length > 0) emit(tx, avatarsProvided(organization_id, { provider: '', organization_id, of }))
}
