import { ApiError, type Endpoint, listEndpoints } from '@oxbow/contract'
import { type Client, createClient } from '@oxbow/sdk'
import type { Person, World } from '@oxbow/testkit'

/** Everyone who may try to call something. */
export const callerKinds = [
  'owner',
  'administrator',
  'member',
  'guest',
  'bot',
  'deactivated',
  'foreigner',
  'nobody',
] as const
export type CallerKind = (typeof callerKinds)[number]

/** Fresh people for each call of this, so that one test's deeds are not another's surroundings. */
export async function makeCaller(
  world: World,
  kind: CallerKind,
  foreigner: Person,
  name: string,
): Promise<Client> {
  switch (kind) {
    case 'owner':
      return world.owner
    case 'bot':
      return world.bot(name, world.owner)
    case 'foreigner':
      return createClient({ url: world.nodes.a.url, credentials: foreigner })
    case 'nobody':
      return world.anonymous()
    case 'deactivated': {
      const person = await world.person(name)
      await world.owner.users.deactivate({ user_id: person.user_id })
      return person
    }
    default:
      return world.person(name, kind)
  }
}

/** Calls any endpoint by its name; the answer is `ok` or the name of the error. */
export async function outcome(client: Client, name: string, given: object): Promise<string> {
  const [group = '', call = ''] = name.split('.')
  const calls = client as unknown as Record<string, Record<string, (given: object) => Promise<object>>>
  try {
    await calls[group]?.[call]?.(given)
    return 'ok'
  } catch (error) {
    if (error instanceof ApiError) return error.errorName
    throw error
  }
}

export function getEndpoint(name: string): Endpoint {
  const found = listEndpoints().find((named) => named.name === name)
  if (!found) throw new Error(`no endpoint is called ${name}`)
  return found.endpoint
}
