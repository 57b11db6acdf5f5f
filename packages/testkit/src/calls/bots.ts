import type { ArgumentsOf, api, UserId } from '@oxbow/contract'
import { createClient } from '@oxbow/sdk'
import type { NodeName } from '../test-server.ts'
import type { Person, World } from '../world.ts'

type BotOptions = Omit<ArgumentsOf<typeof api.bots.create>, 'full_name' | 'short_name'>

/** Creates a bot by its owner, and returns it as a person who can make calls. */
export async function makeBot(
  world: World,
  owner: Person,
  name: string,
  options: BotOptions = {},
): Promise<Person> {
  const made = await owner.bots.create({ full_name: `${name} Bot`, short_name: name, ...options })
  const credentials = { email: `${name}-bot@localhost`, api_key: made.api_key }
  const on = (node: NodeName) => createClient({ url: world.nodes[node].url, credentials })
  return { ...on('a'), ...credentials, user_id: made.user_id as UserId, password: '', on }
}
