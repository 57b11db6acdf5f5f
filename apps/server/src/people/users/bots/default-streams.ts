import { Role, type StreamId, type UserId } from '@oxbow/contract'
import { emit } from '../../../events/emit.ts'
import type { Actor } from '../../../platform/actor.ts'
import type { Db, Tx } from '../../../platform/database/database.ts'
import type { StreamRow, UserRow } from '../../../platform/database/tables.ts'
import { accessStreamByName, canSee } from '../../../streams/access.ts'
import { listStreams, type StreamWithMembership } from '../../../streams/queries.ts'
import { findUser } from '../queries.ts'
import { botChanged } from './events.ts'
import { clearDefaultStreams, listBots } from './queries.ts'

/**
 * Finds a default stream by name. Returns undefined for an empty name. Throws if the actor cannot
 * access the stream.
 */
export async function findDefaultStream(
  db: Db,
  actor: Actor,
  name: string | undefined,
): Promise<StreamWithMembership | undefined> {
  return name ? accessStreamByName(db, actor, name) : undefined
}

/**
 * Finds a new default stream of a bot, as `findDefaultStream`. The owner gets its name, so a guest must have
 * access to it, too.
 */
export async function findDefaultStreamOf(
  db: Db,
  actor: Actor,
  { organization_id, bot_owner_id }: UserRow,
  name: string,
): Promise<StreamWithMembership | undefined> {
  const stream = await findDefaultStream(db, actor, name)
  const owner = bot_owner_id === null ? undefined : await findUser(db, organization_id, bot_owner_id)
  if (owner?.role === Role.guest)
    await findDefaultStream(db, { ...actor, user_id: owner.id, role: owner.role }, name)
  return stream
}

/** Removes streams from the defaults of a bot, because its owner may not learn their names. */
export async function removeDefaultStreams(
  tx: Tx,
  bot: Pick<UserRow, 'organization_id' | 'id' | 'bot_owner_id'>,
  streams: readonly Pick<StreamRow, 'id'>[],
): Promise<void> {
  const account = { organization_id: bot.organization_id, user_id: bot.id }
  const ids: StreamId[] = streams.map(({ id }) => id)
  for (const name of await clearDefaultStreams(tx, account, ids)) {
    if (name === 'default_sending_stream') emit(tx, botChanged(bot, { default_sending_stream: null }))
    else emit(tx, botChanged(bot, { default_events_register_stream: null }))
  }
}

/**
 * Removes default streams that an owner who has become a guest cannot see from the owner's bots. The
 * organization's role lock must be held exclusively.
 */
export async function clearDefaultsOfGuest(
  tx: Tx,
  { organization_id, id: user_id }: { organization_id: UserRow['organization_id']; id: UserId },
): Promise<void> {
  const bots = await listBots(tx, organization_id, user_id)
  if (bots.length === 0) return
  const streams = await listStreams(tx, { organization_id, user_id })
  const hidden = streams.filter(
    (stream) => !canSee(stream, { role: Role.guest, membership: stream.membership }),
  )
  for (const bot of bots) await removeDefaultStreams(tx, bot, hidden)
}
