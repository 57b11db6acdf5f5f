import {
  ApiError,
  type CallerRule,
  callerErrors,
  type Endpoint,
  isAdministrator,
  type NamedEndpoint,
  type ParamsOf,
  type ResponseOf,
  Role,
} from '@oxbow/contract'
import type { Actor, Caller } from '../actor.ts'
import type { App } from '../app.ts'
import type { Delivery } from '../delivery.ts'
import type { EventStream } from '../event-stream.ts'
import type { InPieces } from '../pieces.ts'

/** What an endpoint's action looks like: it knows nothing of HTTP. */
export type Action<E extends Endpoint> = (
  app: App,
  caller: E['auth'] extends 'user' | 'webhook' ? Actor : Caller,
  params: ParamsOf<E>,
  ...delivery: E['auth'] extends 'webhook' ? [delivery: Delivery] : []
) => Promise<InPieces<ResponseOf<E>> | EventStream>

/** One action for each endpoint of a group; a missing one does not compile. */
export type Routes<Group> = {
  readonly [Name in keyof Group]: Group[Name] extends Endpoint ? Action<Group[Name]> : never
}

export interface Bound extends NamedEndpoint {
  action: (app: App, caller: Actor | Caller, params: never, delivery: Delivery | undefined) => Promise<object>
}

/** Puts a contract and its actions together. */
export function bind(contract: NamedEndpoint[], routes: Record<string, Record<string, unknown>>): Bound[] {
  return contract.map((named) => {
    const action = routes[named.group]?.[named.name.slice(named.group.length + 1)]
    if (typeof action !== 'function') throw new Error(`${named.name} is declared and has no action`)
    return { ...named, action: action as Bound['action'] }
  })
}

const passes: Record<CallerRule, (actor: Actor) => boolean> = {
  administrators: ({ role }) => isAdministrator(role),
  owners: ({ role }) => role === Role.owner,
  'not guests': ({ role }) => role !== Role.guest,
  people: ({ bot_type }) => bot_type === null,
}

export function refuseUnlessAllowed(actor: Actor, rules: readonly CallerRule[] = []): void {
  for (const rule of rules) {
    // Each of these errors stands for itself and takes no data.
    if (!passes[rule](actor)) throw new ApiError(callerErrors[rule] as 'NOT_FOR_GUESTS')
  }
}
