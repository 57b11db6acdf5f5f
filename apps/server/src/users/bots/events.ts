import type { BotChange } from '@oxbow/contract'
import type { Audience, Emission } from '../../events/record.ts'
import { whoWatches } from '../../organization/bot-watchers.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import type { Viewing } from '../views.ts'
import { sealSecrets } from './event-shape.ts'
import type { ShownBot } from './queries.ts'
import { type BotSecrets, viewOpenly, viewSecrets } from './views.ts'

type Account = Pick<UserRow, 'organization_id' | 'id' | 'bot_owner_id'>
type Change<Variant = BotChange> = Variant extends unknown ? Omit<Variant, 'user_id'> : never
/** What may stand in a record as it is. */
type OpenChange = Exclude<Change, Pick<BotSecrets, 'api_key'> | Pick<BotSecrets, 'services'>>

/** New, active again, or newly to be seen by these. */
export function botAdded(app: Viewing, bot: ShownBot, to: Audience = whoWatches(bot)): Emission {
  const { organization_id } = bot
  return { organization_id, event: { type: 'realm_bot', op: 'add', bot: sealed(app, bot) }, to }
}

/** To someone who comes to see bots that others knew. */
export function botsAppeared(app: Viewing, viewer: Account, bots: readonly ShownBot[]): Emission {
  return toViewer(
    viewer,
    'add',
    bots.map((bot) => sealed(app, bot)),
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
  return { organization_id, event, to: whoWatches(bot) }
}

export function botChanged(bot: Account, change: OpenChange, to: Audience = whoWatches(bot)): Emission {
  return changed(bot, change, to)
}

export function botKeyChanged(app: Viewing, bot: Account, api_key: string): Emission {
  return changed(bot, sealSecrets(app, { api_key }), whoWatches(bot))
}

export function botServicesChanged(app: Viewing, bot: Account, services: BotSecrets['services']): Emission {
  return changed(bot, sealSecrets(app, { services }), whoWatches(bot))
}

function changed({ organization_id, id }: Account, change: object, to: Audience): Emission {
  return { organization_id, event: { type: 'realm_bot', op: 'update', bot: { user_id: id, ...change } }, to }
}

function sealed(app: Viewing, bot: ShownBot): object {
  return { ...viewOpenly(app, bot), ...sealSecrets(app, viewSecrets(app, bot)) }
}

function toViewer({ organization_id, id }: Account, op: string, bots: readonly object[]): Emission {
  return { organization_id, event: { type: 'realm_bot', op, bots }, to: { users: [id] }, width: bots.length }
}
