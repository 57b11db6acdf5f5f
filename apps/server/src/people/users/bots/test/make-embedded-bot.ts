import { BotType, type OrganizationId } from '@oxbow/contract'
import { createClient } from '@oxbow/sdk'
import type { NodeName, Person, World } from '@oxbow/testkit'
import { lockOrganization } from '../../../../organization/queries.ts'
import { lockRoles } from '../../../../platform/database/locks.ts'
import { inTransaction } from '../../../../platform/database/transaction.ts'
import { addBot, defaultBotFields } from '../add-bot.ts'

/** Inserts an embedded bot, which the API cannot create but old databases may contain. */
export async function makeEmbeddedBot(
  world: World,
  owner: Person,
  name: string,
  config: Record<string, string>,
): Promise<Person> {
  const { app } = world.nodes.a
  const [row] = await world.database.query('select organization_id from user_account where id = $1', [
    owner.user_id,
  ])
  const organization_id = Number(row?.organization_id) as OrganizationId
  const email = `${name}-bot@localhost`
  const { id, api_key } = await inTransaction(app.db, async (tx) => {
    await lockRoles(tx, organization_id, 'exclusive')
    const organization = await lockOrganization(tx, organization_id)
    return addBot(app, tx, organization, {
      ...defaultBotFields,
      email,
      full_name: `${name} Bot`,
      bot_type: BotType.embedded,
      bot_owner_id: owner.user_id,
      service_name: name,
      config,
    })
  })
  const credentials = { email, api_key }
  const on = (node: NodeName) => createClient({ url: world.nodes[node].url, credentials })
  return { ...on('a'), ...credentials, user_id: id, password: '', on }
}
