import type { BotChange, UserId } from '@oxbow/contract'
import type { Audience, Emission } from '../../../events/record.ts'
import { getBotWatchers, humanAdministrators } from '../../../identity/accounts/bot-watchers.ts'
import type { UserRow } from '../../../platform/database/tables.ts'
import type { ViewDependencies } from '../views.ts'
import { sealSecrets } from './event-shape.ts'
import type { ShownBot } from './queries.ts'
import { type BotSecrets, viewSecrets, viewServices, viewWithoutSecrets } from './views.ts'

type Account = Pick<UserRow, 'organization_id' | 'id' | 'bot_owner_id'>
type Change<Variant = BotChange> = Variant extends unknown ? Omit<Variant, 'user_id'> : never
/** Changes of fields that are not secret. Records contain these fields in plain text. */
type OpenChange = Exclude<Change, Pick<BotSecrets, 'api_key'> | Pick<BotSecrets, 'services'>>

/**
 * Builds the events for a new or reactivated bot. The record for its owner contains the key; the
 * record for other watchers does not.
 */
export function botAdded(app: ViewDependencies, bot: ShownBot): Emission[] {
  const { organization_id, bot_owner_id } = bot
  const event = { type: 'realm_bot', op: 'add', bot: sealed(app, bot, false) }
  if (bot_owner_id === null) return [{ organization_id, event, to: humanAdministrators }]
  const toOthers = { ...humanAdministrators, except: [bot_owner_id] }
  return [botAddedToOwner(app, bot, bot_owner_id), { organization_id, event, to: toOthers }]
}

/** Builds the event with a bot and its key, for its owner. */
export function botAddedToOwner(app: ViewDependencies, bot: ShownBot, owner: UserId): Emission {
  const event = { type: 'realm_bot', op: 'add', bot: sealed(app, bot, true) }
  return { organization_id: bot.organization_id, event, to: { users: [owner] } }
}

/** Builds the event for a user who can now see existing bots, without their keys. */
export function botsAppeared(app: ViewDependencies, viewer: Account, bots: readonly ShownBot[]): Emission {
  return toViewer(
    viewer,
    'add',
    bots.map((bot) => sealed(app, bot, false)),
  )
}

/** Builds the event for a user who no longer sees these bots. */
export function botsDisappeared(viewer: Account, bots: readonly Pick<UserRow, 'id'>[]): Emission {
  return toViewer(
    viewer,
    'delete',
    bots.map(({ id }) => ({ user_id: id })),
  )
}

export function botDeactivated(bot: Account & Pick<UserRow, 'full_name'>): Emission {
  const { organization_id, id, full_name } = bot
  const event = { type: 'realm_bot', op: 'remove', bot: { user_id: id, full_name } }
  return { organization_id, event, to: getBotWatchers(bot) }
}

export function botChanged(bot: Account, change: OpenChange, to: Audience = getBotWatchers(bot)): Emission {
  return changed(bot, change, to)
}

/** Sends the key of a bot to a user. The key must be empty unless the user owns the bot. */
export function botKeyShown(app: ViewDependencies, bot: Account, api_key: string, viewer: UserId): Emission {
  return changed(bot, sealSecrets(app, bot, { api_key }), { users: [viewer] })
}

/**
 * Sends the services of a bot to all its watchers. Two records are needed, because only the owner
 * gets the token.
 */
export function botServicesChanged(app: ViewDependencies, bot: ShownBot): Emission[] {
  const { bot_owner_id } = bot
  if (bot_owner_id === null) return [servicesShown(app, bot, false, humanAdministrators)]
  return [
    servicesShown(app, bot, true, { users: [bot_owner_id] }),
    servicesShown(app, bot, false, { ...humanAdministrators, except: [bot_owner_id] }),
  ]
}

function servicesShown(app: ViewDependencies, bot: ShownBot, isForOwner: boolean, to: Audience): Emission {
  return changed(bot, sealSecrets(app, bot, { services: viewServices(app, bot, isForOwner) }), to)
}

function changed({ organization_id, id }: Account, change: object, to: Audience): Emission {
  return { organization_id, event: { type: 'realm_bot', op: 'update', bot: { user_id: id, ...change } }, to }
}

function sealed(app: ViewDependencies, bot: ShownBot, isForOwner: boolean): object {
  return { ...viewWithoutSecrets(app, bot), ...sealSecrets(app, bot, viewSecrets(app, bot, isForOwner)) }
}

function toViewer({ organization_id, id }: Account, op: string, bots: readonly object[]): Emission {
  return {
    organization_id,
    event: { type: 'realm_bot', op, bots },
    to: { users: [id] },
    eventCount: bots.length,
  }
}
