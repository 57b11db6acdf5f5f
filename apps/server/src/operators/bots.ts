import { ApiError, BotInterface, BotType, url } from '@oxbow/contract'
import { getOrganizationAt } from '../organization/get-organization-at.ts'
import { lockOrganization } from '../organization/queries.ts'
import { addBot, defaultBotFields } from '../people/users/bots/add-bot.ts'
import type { BotCatalog } from '../people/users/bots/catalog.ts'
import { checkConfig, readBotNames, refuseTakenNames } from '../people/users/bots/create-bot.ts'
import { viewServices } from '../people/users/bots/views.ts'
import { checkNameForOperator } from '../people/users/full-name.ts'
import { findUserByDeliveryEmail } from '../people/users/queries.ts'
import type { App } from '../platform/app.ts'
import { lockRoles } from '../platform/database/locks.ts'
import type { OrganizationRow, UserRow } from '../platform/database/tables.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { OperatorError } from '../platform/operator-error.ts'

export interface NewBotByOperator {
  subdomain: string
  /** URL of the organization, which determines the domain of the bot's address. */
  origin: string
  name: string
  short_name: string
  type: string
  /** Delivery address of a person. */
  owner: string
  service?: string | undefined
  payload_url?: string | undefined
  /** Form of the calls of an outgoing webhook. */
  calls?: string | undefined
}

const types: Record<string, BotType> = {
  generic: BotType.generic,
  'incoming-webhook': BotType.incomingWebhook,
  'outgoing-webhook': BotType.outgoingWebhook,
}

const interfaces: Record<string, BotInterface> = { json: BotInterface.json, slack: BotInterface.form }

/**
 * Creates a bot for an operator. Checks names and configuration, but ignores policies and the
 * maximum number of bots.
 */
export async function addBotByOperator(app: App, catalog: BotCatalog, options: NewBotByOperator) {
  const bot_type = readChoice(types, options.type, 'bot type')
  const calls = readChoice(interfaces, options.calls ?? 'json', 'form of calls')
  const { payload_url = '' } = options
  if (payload_url !== '' && !url().safeParse(payload_url).success)
    throw new OperatorError(`"${payload_url}" is not a URL.`)
  const organization = await getOrganizationAt(app, options.subdomain)
  const named = readBotNamesForOperator(app, options, bot_type)
  checkConfig(catalog, { ...named, bot_type, config: {} })
  const owner = await getOwner(app, organization, options.owner)
  return inTransaction(app.db, async (tx) => {
    await lockRoles(tx, organization.id, 'exclusive')
    const locked = await lockOrganization(tx, organization.id)
    await refuseTakenNames(tx, organization.id, named)
    const bot = await addBot(app, tx, locked, {
      ...defaultBotFields,
      ...named,
      bot_type,
      bot_owner_id: owner.id,
      payload_url,
      interface: calls,
    })
    const isWebhook = bot_type === BotType.incomingWebhook
    const [service] = viewServices(app, bot, true)
    const token = service && 'token' in service ? service.token : undefined
    return { user_id: bot.id, email: bot.delivery_email, api_key: bot.api_key, token, isWebhook }
  })
}

function readBotNamesForOperator({ config }: App, options: NewBotByOperator, bot_type: BotType) {
  const { origin, short_name, service: service_name } = options
  const full_name = checkNameForOperator(options.name)
  try {
    return readBotNames(config, origin, { full_name, short_name, service_name, bot_type })
  } catch (error) {
    if (!(error instanceof ApiError && error.is('BAD_EMAIL'))) throw error
    throw new OperatorError(`"${short_name}" cannot be a short name: it becomes part of an e-mail address.`)
  }
}

function readChoice<Value>(choices: Record<string, Value>, name: string, what: string): Value {
  const value = Object.hasOwn(choices, name) ? choices[name] : undefined
  if (value === undefined)
    throw new OperatorError(`"${name}" is not a ${what}. Valid values: ${Object.keys(choices).join(', ')}.`)
  return value
}

async function getOwner({ db }: App, { id, name }: OrganizationRow, email: string): Promise<UserRow> {
  const owner = await findUserByDeliveryEmail(db, id, email)
  if (!owner) throw new OperatorError(`Nobody in ${name} has the address ${email}.`)
  if (owner.bot_type !== null) throw new OperatorError(`${email} is a bot; the owner must be a person.`)
  if (!owner.is_active) throw new OperatorError(`${email} is deactivated; the owner must be active.`)
  return owner
}
