import { ApiError, type UserId } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import { administratingPeople } from '../../organization/bot-watchers.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { botOwnerChanged } from '../events.ts'
import { findUser, updateUserRow } from '../queries.ts'
import { watchesAllBots } from './access.ts'
import { botAdded, botChanged, botsDisappeared } from './events.ts'
import { getBot } from './queries.ts'

/** Administrators saw the bot before and see it now; for other owners it goes and comes. */
export async function changeOwner(app: App, tx: Tx, bot: UserRow, id: UserId): Promise<UserRow> {
  const { organization_id } = bot
  const owner = await findUser(tx, organization_id, id)
  if (!owner) throw new ApiError('NEW_BOT_OWNER_UNKNOWN')
  if (!owner.is_active) throw new ApiError('NEW_BOT_OWNER_DEACTIVATED')
  if (owner.bot_type !== null) throw new ApiError('NEW_BOT_OWNER_IS_BOT')
  if (owner.id === bot.bot_owner_id) return bot
  const previous =
    bot.bot_owner_id === null ? undefined : await findUser(tx, organization_id, bot.bot_owner_id)
  await updateUserRow(tx, organization_id, bot.id, { bot_owner_id: owner.id })
  const changed = { ...bot, bot_owner_id: owner.id }
  if (previous && !watchesAllBots(previous)) emit(tx, botsDisappeared(previous, [bot]))
  if (!watchesAllBots(owner)) {
    const shown = await getBot(tx, { organization_id, user_id: bot.id })
    emit(tx, botAdded(app, shown, { users: [owner.id] }))
  }
  emit(tx, botChanged(changed, { owner_id: owner.id }, administratingPeople))
  emit(tx, botOwnerChanged(bot, owner.id))
  return changed
}
