import { ApiError, type Endpoint, listEndpoints } from '@oxbow/contract'
import { type Client, createClient } from '@oxbow/sdk'
import { resumeSession, signIn } from '../browser-session.ts'
import type { Person, World } from '../world.ts'

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

/** Creates an account. The owner and the foreigner are shared. */
async function makeCaller(world: World, kind: CallerKind, foreigner: Person, name: string): Promise<Client> {
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

/** Endpoints after which the caller cannot call others, because its account, key or session has ended. */
const callerEndingEndpoints =
  /^(sessions\.(create|endCurrent)|users\.(deactivateMe|regenerateApiKey)|organization\.deactivate)$/

/** Callers of each kind, which are reused because creating one takes longer than most calls. */
export class Callers {
  readonly #world: World
  readonly #foreigner: Person
  readonly #withKeys = new Map<CallerKind, Client>()
  readonly #withSessions = new Map<CallerKind, Client>()
  #count = 0

  constructor(world: World, foreigner: Person) {
    this.#world = world
    this.#foreigner = foreigner
  }

  /** Returns a caller with an API key. */
  async get(kind: CallerKind): Promise<Client> {
    const known = this.#withKeys.get(kind)
    if (known) return known
    const made = await makeCaller(this.#world, kind, this.#foreigner, `${kind}-caller${this.#count++}`)
    this.#withKeys.set(kind, made)
    return made
  }

  /** Returns a caller with a session. */
  async getSession(kind: 'owner' | 'administrator' | 'member' | 'guest'): Promise<Client> {
    const known = this.#withSessions.get(kind)
    if (known) return known
    const { owner } = this.#world
    const person =
      kind === 'owner' ? owner : await this.#world.person(`${kind}-session${this.#count++}`, kind)
    const session = await signIn(this.#world, person)
    this.#withSessions.set(kind, session)
    return session
  }

  /** Forgets the callers, if those that called this endpoint with success can no longer be used. */
  dropAfter(endpointName: string): void {
    if (!callerEndingEndpoints.test(endpointName)) return
    this.#withKeys.clear()
    this.#withSessions.clear()
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
