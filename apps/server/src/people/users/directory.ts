import { type api, isAdministrator, type ResponseOf, Role, type UserId } from '@oxbow/contract'
import { isSightLimited, listInSight } from '../../identity/accounts/sight.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { InPieces } from '../../platform/pieces.ts'
import { type DirectoryRow, listDirectoryRows, maxDirectoryRowsPerPiece } from './queries.ts'

type Directory = typeof api.users.directory

/**
 * Lists all accounts that the caller sees in a compact form. Reads the position in the event log before the accounts, so
 * a client that applies all later user events has the current directory. Some of these events may
 * repeat changes that the list already contains.
 */
export async function listDirectory(app: App, actor: Actor): Promise<InPieces<ResponseOf<Directory>>> {
  const { organization_id } = actor
  const { position } = await app.events.log.follow(organization_id)
  const ids = (await isSightLimited(app.db, actor)) ? await listInSight(app.db, actor) : undefined
  const pieces = listDirectoryRows(app.db, organization_id, ids)
  const first = ((await pieces.next()).value ?? []).map(viewEntry)
  if (first.length < maxDirectoryRowsPerPiece) return { position, people: first }
  return {
    position,
    people: (async function* () {
      yield first
      for await (const piece of pieces) yield piece.map(viewEntry)
    })(),
  }
}

function viewEntry(row: DirectoryRow): [UserId, string, number, number] {
  return [row.id, row.full_name, flagsOf(row), row.avatar_version]
}

function flagsOf({ bot_type, role, is_active }: DirectoryRow): number {
  return (
    (bot_type === null ? 0 : 1) +
    (role === Role.guest ? 2 : 0) +
    (isAdministrator(role) ? 4 : 0) +
    (role === Role.owner ? 8 : 0) +
    (is_active ? 0 : 16)
  )
}
