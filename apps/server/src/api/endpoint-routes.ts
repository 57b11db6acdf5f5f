import type { Params } from '@oxbow/contract'
import type { BoundEndpoint, Route } from '../platform/http/bind.ts'
import type { EndpointContext } from './endpoint-context.ts'
import { serveEndpoint } from './serve-endpoint.ts'
import { serveWebhook } from './serve-webhook.ts'

/** Returns the routes of all endpoints. */
export function endpointRoutes(context: EndpointContext, endpoints: readonly BoundEndpoint[]): Route[] {
  return endpoints.map((bound) => {
    const serve = bound.endpoint.auth === 'webhook' ? serveWebhook : serveEndpoint
    return { ...describeRoute(bound), handle: serve(context, bound) }
  })
}

/**
 * Returns the route of an endpoint. `/users/{user_id}` becomes `/users/:user_id(^[0-9]+$)`, so that a value
 * that is not a number leads to an unknown path (404), unless the parameter is text.
 */
function describeRoute({ name, endpoint }: BoundEndpoint): Omit<Route, 'handle'> {
  const params = endpoint.params as Params
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, param: string) => {
    if (params[param]?.isRest) return '*'
    return params[param]?.isText ? `:${param}` : `:${param}(^[0-9]+$)`
  })
  const constrained = Object.entries(params).flatMap(([param, { requiredCharacter }]) =>
    requiredCharacter ? [{ param, requiredCharacter }] : [],
  )
  const matchesPath = (values: Readonly<Record<string, string>>) =>
    constrained.every(({ param, requiredCharacter }) => values[param]?.includes(requiredCharacter))
  return {
    name,
    method: endpoint.method,
    path,
    route: endpoint.path,
    takesHead: endpoint.auth === 'webhook',
    anonymousLimit: endpoint.auth === 'nobody' ? 'always' : 'without account',
    ...(constrained.length > 0 && { matchesPath }),
  }
}
