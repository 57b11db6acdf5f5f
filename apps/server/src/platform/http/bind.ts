import {
  ApiError,
  allowedBy,
  BotType,
  type CallerRule,
  callerErrors,
  type Decision,
  type Endpoint,
  type ErrorName,
  type IsStreamed,
  isAdministrator,
  type NamedEndpoint,
  type ParamsOf,
  type PermissionRule,
  type ResponseOf,
  Role,
  refusedBy,
} from '@oxbow/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor, Caller } from '../actor.ts'
import type { App } from '../app.ts'
import type { EventStream } from '../event-stream.ts'
import type { InPieces } from '../pieces.ts'
import type { ResultWithHeaders } from '../result-with-headers.ts'
import type { Delivery } from './delivery.ts'
import type { StreamedFile } from './streamed-form.ts'

/** The file of an endpoint that streams it, passed to the action beside the decoded parameters. */
export type StreamedFileOf<E extends Endpoint> =
  IsStreamed<E> extends true ? { readonly file: StreamedFile } : unknown

/** The function that serves an endpoint. It does not depend on HTTP. */
type Action<E extends Endpoint> = (
  app: App,
  caller: E['auth'] extends 'user' | 'webhook' ? Actor : Caller,
  params: ParamsOf<E> & StreamedFileOf<E>,
  ...delivery: E['auth'] extends 'webhook' ? [delivery: Delivery] : []
) => Promise<InPieces<ResponseOf<E>> | EventStream | ResultWithHeaders<ResponseOf<E>>>

/** One action for each endpoint of a group. Code with a missing action does not compile. */
export type Routes<Group> = {
  readonly [Name in keyof Group]: Group[Name] extends Endpoint ? Action<Group[Name]> : never
}

export interface BoundEndpoint extends NamedEndpoint {
  action: (app: App, caller: Actor | Caller, params: never, delivery: Delivery | undefined) => Promise<object>
}

/** Pairs each endpoint of the contract with the action that serves it. */
export function bind(
  contract: NamedEndpoint[],
  routes: Record<string, Record<string, unknown>>,
): BoundEndpoint[] {
  return contract.map((named) => {
    const action = routes[named.group]?.[named.name.slice(named.group.length + 1)]
    if (typeof action !== 'function') throw new Error(`${named.name} is declared and has no action`)
    return { ...named, action: action as BoundEndpoint['action'] }
  })
}

type CallerRights = Pick<Actor, 'role' | 'bot_type'>

const callerPredicates: Record<CallerRule, (caller: CallerRights) => boolean> = {
  administrators: ({ role }) => isAdministrator(role),
  owners: ({ role }) => role === Role.owner,
  'not guests': ({ role }) => role !== Role.guest,
  people: ({ bot_type }) => bot_type === null,
}

const ruleOf: Record<CallerRule, PermissionRule> = {
  administrators: 'must_be_administrator',
  owners: 'must_be_owner',
  'not guests': 'not_for_guests',
  people: 'not_for_bots',
}

/** Whether an account may call an endpoint at all. */
export function decideCall(
  caller: CallerRights,
  { only = [], webhookBots }: Pick<Endpoint, 'only' | 'webhookBots'>,
): Decision {
  if (caller.bot_type === BotType.incomingWebhook && !webhookBots) return refusedBy('closed_to_webhook_bots')
  const broken = only.find((rule) => !callerPredicates[rule](caller))
  if (broken) return refusedBy(ruleOf[broken])
  if (only.includes('owners')) return allowedBy('owner')
  return allowedBy(only.includes('administrators') ? 'administrator' : 'account')
}

const errorOf = new Map<PermissionRule, ErrorName>([
  ['closed_to_webhook_bots', 'CLOSED_TO_WEBHOOK_BOTS'],
  ...Object.entries(callerErrors).map(([rule, error]): [PermissionRule, ErrorName] => [
    ruleOf[rule as CallerRule],
    error,
  ]),
])

export function refuseUnlessMayCall(caller: CallerRights, endpoint: Endpoint): void {
  const { allowed, rule } = decideCall(caller, endpoint)
  // None of these errors has data, so the type assertion can name any of them.
  if (!allowed) throw new ApiError(errorOf.get(rule) as 'NOT_FOR_GUESTS')
}

export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** One method of a path, with its handler. */
export interface Route {
  /** Path in the router's notation. */
  path: string
  /** Path as documented, `/users/{user_id}`; for the log. */
  route?: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Name for log and metrics. */
  name: string
  handle: Handler
  /** Whether the route also handles HEAD although its method is not GET. */
  takesHead?: boolean
  /**
   * Which requests count against the limit for requests without an account. `always` (the default): all, for
   * routes without authentication. `without account`: those that are not authenticated. `with a wrong link`:
   * those with an invalid temporary link, which serves as a credential. `never`: none, for monitoring and
   * for pictures, which pages load without credentials.
   */
  anonymousLimit?: 'always' | 'without account' | 'with a wrong link' | 'never'
  /**
   * Decides by the parameter values whether the path really matches, if the router's pattern is not precise
   * enough.
   */
  matchesPath?: (values: Readonly<Record<string, string>>) => boolean
}

export function groupByPath(served: Route[]): Map<string, Route[]> {
  return Map.groupBy(served, ({ path }) => path)
}

const methodOrder = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/**
 * Returns one handler for all methods of a path, so that a wrong method is refused before anything
 * else is checked.
 */
export function dispatch(served: Route[]): Handler {
  const byMethod = new Map<string, Route>(served.map((route) => [route.method, route]))
  const declared: string[] = methodOrder.filter((method) => byMethod.has(method))
  const allowed_methods = declared.includes('GET') ? [...declared, 'HEAD'] : declared
  const options = allowed_methods.toSorted().join(', ')
  const [{ path, route = path.replace(/:(\w+)(\([^)]*\))?/g, '{$1}') }] = served as [Route]
  const headRoute = byMethod.get('GET') ?? served.find(({ takesHead }) => takesHead)
  const conditions = served.flatMap(({ matchesPath }) => matchesPath ?? [])
  return (request, reply) => {
    if (!conditions.every((matchesPath) => matchesPath(request.params as Record<string, string>)))
      throw new ApiError('NOT_FOUND')
    request.route = route
    const found = request.method === 'HEAD' ? headRoute : byMethod.get(request.method)
    if (found) {
      request.endpointName = found.name
      return found.handle(request, reply)
    }
    if (request.method === 'OPTIONS') return sendAllowedMethods(reply, options)
    throw new ApiError('METHOD_NOT_ALLOWED', { allowed_methods })
  }
}

async function sendAllowedMethods(reply: FastifyReply, allow: string): Promise<FastifyReply> {
  return reply.code(204).header('allow', allow).send()
}
