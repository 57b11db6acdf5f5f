import { ApiError, type api, BotInterface, type ParamsOf, type ResponseOf } from '@oxbow/contract'
import { avatarUrl, displayEmail } from '../../../identity/accounts/public-account.ts'
import { changeRolesAs, writeAs } from '../../../identity/write-as.ts'
import type { Actor } from '../../../platform/actor.ts'
import type { App } from '../../../platform/app.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { lockStreamDirectory } from '../../../platform/database/locks.ts'
import type { UserRow } from '../../../platform/database/tables.ts'
import { drawUpload, replaceAvatar } from '../avatar/change-avatar.ts'
import { checkFullName } from '../full-name.ts'
import { findShownUser, findUser } from '../queries.ts'
import { changeFullName } from '../update-user.ts'
import { accessBotToChange, getChangeableBot } from './access.ts'
import type { BotCatalog } from './catalog.ts'
import { changeBotDefaults } from './change-defaults.ts'
import { changeOwner } from './change-owner.ts'
import { changeConfig, changePayload } from './change-service.ts'
import { getBot } from './queries.ts'
import { viewDefaults } from './views.ts'

type Update = typeof api.bots.update
type UpdateParams = ParamsOf<Update>

export function makeUpdateBot(catalog: BotCatalog) {
  /** Applies all changes in the order of the protocol, or none. */
  return async function updateBot(app: App, actor: Actor, params: UpdateParams): Promise<ResponseOf<Update>> {
    const { organization_id } = actor
    const [file, ...more] = params.files
    // Checked before the picture is drawn, which is expensive.
    if (file) getChangeableBot(actor, await findUser(app.db, organization_id, params.bot_id))
    const avatar = file && more.length === 0 ? await drawUpload(file) : undefined
    const write = params.bot_owner_id === undefined ? writeAs : changeRolesAs
    return write(app, actor, async (tx) => {
      // Events about bots contain names of streams, which must not change until the commit.
      await lockStreamDirectory(tx, organization_id, 'shared')
      let bot = await accessBotToChange(tx, actor, params.bot_id)
      if (params.full_name !== undefined) {
        checkFullName(params.full_name)
        const full_name = await changeFullName(tx, bot, params.full_name)
        if (full_name !== undefined) bot = { ...bot, full_name }
      }
      if (params.bot_owner_id !== undefined) bot = await changeOwner(app, tx, actor, bot, params.bot_owner_id)
      await changeBotDefaults(tx, actor, bot, params)
      await changePayload(app, tx, actor, bot, params)
      if (params.config_data !== undefined) await changeConfig(app, tx, catalog, bot, params.config_data)
      if (more.length > 0) throw new ApiError('ONE_FILE_AT_A_TIME')
      if (avatar) await replaceAvatar(app, tx, bot, avatar)
      return buildResponse(app, tx, bot, params)
    })
  }
}

async function buildResponse(
  app: App,
  tx: Tx,
  { organization_id, id, bot_owner_id }: UserRow,
  params: UpdateParams,
): Promise<ResponseOf<Update>> {
  const bot = await getBot(tx, { organization_id, user_id: id })
  const owner =
    bot_owner_id === null ? undefined : await findShownUser(tx, { organization_id, id: bot_owner_id }, false)
  return {
    full_name: bot.full_name,
    avatar_url: avatarUrl(app, bot),
    service_interface: params.service_interface ?? bot.service?.interface ?? BotInterface.json,
    service_payload_url: params.service_payload_url ?? null,
    config_data: params.config_data ?? null,
    ...viewDefaults(bot),
    ...(owner && { bot_owner: displayEmail(app.config, owner) }),
  }
}
