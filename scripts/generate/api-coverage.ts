import { listEndpoints, type NamedEndpoint } from '@oxbow/contract'

/**
 * The routes of the reference server at our feature level, relative to `/api/v1/`. `any` stands for every method.
 */
const referenceRoutes: readonly [path: string, methods: string][] = [
  ['realm', 'PATCH'],
  ['generate_204', 'any'],
  ['realm/subdomain/{name}', 'GET'],
  ['realm/domains', 'GET POST'],
  ['realm/domains/{domain}', 'PATCH DELETE'],
  ['realm/emoji', 'GET'],
  ['realm/emoji/{name}', 'POST DELETE'],
  ['realm/icon', 'GET POST DELETE'],
  ['realm/logo', 'GET POST DELETE'],
  ['realm/filters', 'GET POST'],
  ['realm/filters/{id}', 'DELETE'],
  ['realm/profile_fields', 'GET PATCH POST'],
  ['realm/profile_fields/{id}', 'PATCH DELETE'],
  ['realm/deactivate', 'POST'],
  ['realm/presence', 'GET'],
  ['users', 'GET POST'],
  ['users/{id}/reactivate', 'POST'],
  ['users/{email}/presence', 'GET'],
  ['users/{id}', 'GET PATCH DELETE'],
  ['users/{id}/subscriptions/{stream_id}', 'GET'],
  ['bots', 'GET POST'],
  ['bots/{id}/api_key/regenerate', 'POST'],
  ['bots/{id}', 'PATCH DELETE'],
  ['invites', 'GET POST'],
  ['invites/{id}', 'DELETE'],
  ['invites/{id}/resend', 'POST'],
  ['invites/multiuse', 'POST'],
  ['invites/multiuse/{id}', 'DELETE'],
  ['mark_all_as_read', 'POST'],
  ['mark_stream_as_read', 'POST'],
  ['mark_topic_as_read', 'POST'],
  ['zcommand', 'POST'],
  ['messages', 'GET POST'],
  ['messages/{id}', 'GET PATCH DELETE'],
  ['messages/render', 'POST'],
  ['messages/flags', 'POST'],
  ['messages/{id}/history', 'GET'],
  ['messages/matches_narrow', 'GET'],
  ['users/me/subscriptions/properties', 'POST'],
  ['users/me/subscriptions/{stream_id}', 'PATCH'],
  ['submessage', 'POST'],
  ['messages/{id}/reactions', 'POST DELETE'],
  ['attachments', 'GET'],
  ['attachments/{id}', 'DELETE'],
  ['typing', 'POST'],
  ['user_uploads', 'POST'],
  ['user_uploads/{realm_id}/{filename}', 'GET'],
  ['bot_storage', 'PUT GET DELETE'],
  ['users/me', 'GET DELETE'],
  ['users/me/presence', 'POST'],
  ['users/me/status', 'POST'],
  ['users/me/apns_device_token', 'POST DELETE'],
  ['users/me/android_gcm_reg_id', 'POST DELETE'],
  ['user_groups', 'GET'],
  ['user_groups/create', 'POST'],
  ['user_groups/{id}', 'PATCH DELETE'],
  ['user_groups/{id}/members', 'POST'],
  ['users/me/api_key/regenerate', 'POST'],
  ['users/me/enter-sends', 'POST'],
  ['users/me/avatar', 'POST DELETE'],
  ['users/me/hotspots', 'POST'],
  ['users/me/tutorial_status', 'POST'],
  ['settings', 'PATCH'],
  ['settings/display', 'PATCH'],
  ['settings/notifications', 'PATCH'],
  ['users/me/alert_words', 'GET POST DELETE'],
  ['users/me/profile_data', 'PATCH DELETE'],
  ['users/me/{stream_id}/topics', 'GET'],
  ['streams', 'GET'],
  ['get_stream_id', 'GET'],
  ['streams/{id}/members', 'GET'],
  ['streams/{id}', 'PATCH DELETE'],
  ['streams/{id}/delete_topic', 'POST'],
  ['default_streams', 'POST DELETE'],
  ['default_stream_groups/create', 'POST'],
  ['default_stream_groups/{id}', 'PATCH DELETE'],
  ['default_stream_groups/{id}/streams', 'PATCH'],
  ['users/me/subscriptions', 'GET POST PATCH DELETE'],
  ['users/me/subscriptions/muted_topics', 'PATCH'],
  ['register', 'POST'],
  ['events', 'GET DELETE'],
  ['report/error', 'POST'],
  ['report/send_times', 'POST'],
  ['report/narrow_times', 'POST'],
  ['report/unnarrow_times', 'POST'],
  ['calls/zoom/create', 'POST'],
  ['calls/bigbluebutton/create', 'GET'],
  ['export/realm', 'GET POST'],
  ['export/realm/{id}', 'DELETE'],
  ['server_settings', 'GET'],
  ['fetch_api_key', 'POST'],
  ['dev_fetch_api_key', 'POST'],
  ['dev_list_users', 'any'],
  ['fetch_google_client_id', 'any'],
  ['external/{integration}', 'POST'],
]

/** Routes that do not respond with the JSON envelope, so that the contract does not declare them. */
const pages: Readonly<Record<string, string>> = {
  'any generate_204': 'an empty answer, to test the connection',
  'GET realm/icon': 'a redirect to the icon of the organization',
  'GET realm/logo': 'a redirect to the logo of the organization',
}

/** Remarks about routes that are only partly served. */
const remarks: Readonly<Record<string, string>> = {
  'any dev_list_users': 'by GET only',
  'any fetch_google_client_id': 'by GET only; always refused, because signing in with Google is not offered',
}

/** Reasons why routes are not served. A reason is ignored once the contract has the route. */
const reasons: Readonly<Record<string, string>> = {
  'POST calls/zoom/create':
    'needs credentials of each user with another service; calls with Jitsi need a link only',
  'GET calls/bigbluebutton/create': 'needs credentials of another service; calls with Jitsi need a link only',
}

export interface ReferenceRoute {
  /** HTTP method, or `any`. */
  method: string
  /** Relative to `/api/v1/`, with `{name}` for each parameter. */
  path: string
  /**
   * The name of the endpoint in the contract, or a description of the page's response. Absent if
   * the route is not served.
   */
  servedBy?: string
  /** A remark about the served part, or the reason why the route is not served. */
  remark?: string
}

/** Lists all routes of the reference with the endpoints of the contract that serve them. */
export function listReferenceRoutes(): ReferenceRoute[] {
  const endpoints = new Map(listEndpoints().map((named) => [keyOf(named), named.name]))
  return referenceRoutes.flatMap(([path, methods]) =>
    methods.split(' ').map((method) => {
      const key = `${method} ${path}`
      const name = endpoints.get(`${method === 'any' ? 'GET' : method} ${anonymize(path)}`)
      const servedBy = name ?? pages[key]
      const remark = servedBy ? remarks[key] : reasons[key]
      return { method, path, ...(servedBy && { servedBy }), ...(remark && { remark }) }
    }),
  )
}

const keyOf = ({ endpoint }: NamedEndpoint): string =>
  `${endpoint.method} ${anonymize(endpoint.path.replace(/^\/api\/v1\//, ''))}`

/** Removes the names of parameters, because they differ from the reference's. */
const anonymize = (path: string): string => path.replace(/\{[^}]+\}/g, '{}')

/** Returns the table of all routes of the reference as Markdown. */
export function coverageDocument(): string {
  const routes = listReferenceRoutes()
  const served = routes.filter(({ servedBy }) => servedBy)
  const rows = routes.map(
    ({ method, path, servedBy, remark }) =>
      `| ${method} | \`${path}\` | ${servedBy ?? 'not served'} | ${remark ?? ''} |`,
  )
  return `# API coverage

The routes of the protocol, under \`/api/v1/\`, and the endpoints of the [contract](openapi.json) that serve them. ${served.length} of ${routes.length} are served. \`npm run docs\` writes this page, and a test asks a node for every route in it. [Decision 0003](../decisions/0003-where-we-differ.md) lists where an endpoint answers differently.

| method | path | served by | remark |
|---|---|---|---|
${rows.join('\n')}
`
}
