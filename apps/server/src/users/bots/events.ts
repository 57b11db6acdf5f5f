import type { BotChange, UserId } from '@oxbow/contract'
import type { Audience, Emission } from '../../events/record.ts'
import { getBotWatchers, humanAdministrators } from '../../organization/bot-watchers.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import type { Viewing } from '../views.ts'
import { sealSecrets } from './event-shape.ts'
import type { ShownBot } from './queries.ts'
import { type BotSecrets, viewOpenly, viewSecrets, viewServices } from './views.ts'

type Account = Pick<UserRow, 'organization_id' | 'id' | 'bot_owner_id'>
type Change<Variant = BotChange> = Variant extends unknown ? Omit<Variant, 'user_id'> : never
/** What may stand in a record as it is. */
type OpenChange = Exclude<Change, Pick<BotSecrets, 'api_key'> | Pick<BotSecrets, 'services'>>

/** New, or active again. */
export function botAdded(app: Viewing, bot: ShownBot): Emission[] {
  const { organization_id, bot_owner_id } = bot
  const event = { type: 'realm_bot', op: 'add', bot: sealed(app, bot, false) }
  if (bot_owner_id === null) return [{ organization_id, event, to: humanAdministrators }]
  const toOthers = { ...humanAdministrators, except: [bot_owner_id] }
  return [botAddedToOwner(app, bot, bot_owner_id), { organization_id, event, to: toOthers }]
}

/** With its key. */
export function botAddedToOwner(app: Viewing, bot: ShownBot, owner: UserId): Emission {
  const event = { type: 'realm_bot', op: 'add', bot: sealed(app, bot, true) }
  return { organization_id: bot.organization_id, event, to: { users: [owner] } }
}

/** To someone who comes to see bots that others knew. */
export function botsAppeared(app: Viewing, viewer: Account, bots: readonly ShownBot[]): Emission {
  return toViewer(
    viewer,
    'add',
    bots.map((bot) => sealed(app, bot, false)),
  )
}

/** To someone who no longer sees them. */
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

/** The key as this account is shown it from now on: empty for everyone but the owner. */
export function botKeyShown(app: Viewing, bot: Account, api_key: string, viewer: UserId): Emission {
  return changed(bot, sealSecrets(app, bot, { api_key }), { users: [viewer] })
}

/** Two records: only the owner is shown the token. */
export function botServicesChanged(app: Viewing, bot: ShownBot): Emission[] {
  const { bot_owner_id } = bot
  if (bot_owner_id === null) return [servicesShown(app, bot, false, humanAdministrators)]
  return [
    servicesShown(app, bot, true, { users: [bot_owner_id] }),
    servicesShown(app, bot, false, { ...humanAdministrators, except: [bot_owner_id] }),
  ]
}

/** The services as this account is shown them from now on, as the owner or as an administrator. */
export function botServicesShown(app: Viewing, bot: ShownBot, viewer: UserId): Emission {
  return servicesShown(app, bot, viewer === bot.bot_owner_id, { users: [viewer] })
}

function servicesShown(app: Viewing, bot: ShownBot, isForOwner: boolean, to: Audience): Emission {
  return changed(bot, sealSecrets(app, bot, { services: viewServices(app, bot, isForOwner) }), to)
}

function changed({ organization_id, id }: Account, change: object, to: Audience): Emission {
  return { organization_id, event: { type: 'realm_bot', op: 'update', bot: { user_id: id, ...change } }, to }
}

function sealed(app: Viewing, bot: ShownBot, isForOwner: boolean): object {
  return { ...viewOpenly(app, bot), ...sealSecrets(app, bot, viewSecrets(app, bot, isForOwner)) }
}

function toViewer({ organization_id, id }: Account, op: string, bots: readonly object[]): Emission {
  return {
    organization_id,
    event: { type: 'realm_bot', op, bots },
    to: { users: [id] },
    eventCount: bots.length,
  }
}
