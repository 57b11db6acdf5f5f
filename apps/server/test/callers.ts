import { ApiError, type Endpoint, listEndpoints } from '@oxbow/contract'
import { type Client, createClient } from '@oxbow/sdk'
import { type Person, resumeSession, signIn, type World } from '@oxbow/testkit'

/** Kinds of callers that the access tests try. */
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

/**
 * Creates a new account for each call, so that tests do not affect each other. The owner and the
 * foreigner are shared.
 */
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

/** Returns invalid sessions: of a deactivated account, and of another organization. */
export async function makeInvalidSessions(
  world: World,
  foreigner: Person,
): Promise<Record<'deactivated' | 'foreigner', Client>> {
  const person = await world.person('signed-out')
  const deactivated = await signIn(world, person)
  await world.owner.users.deactivate({ user_id: person.user_id })
  const { cookie } = await signIn(world, foreigner, { host: 'hill.localhost' })
  return { deactivated, foreigner: resumeSession(world, cookie) }
}

/** Calls an endpoint by its name, and returns `ok` or the name of the error. */
export async function outcome(client: Client, name: string, params: object): Promise<string> {
  const [group = '', call = ''] = name.split('.')
  const calls = client as unknown as Record<string, Record<string, (params: object) => Promise<object>>>
  try {
    await calls[group]?.[call]?.(params)
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
