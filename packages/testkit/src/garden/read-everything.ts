import { type Endpoint, listEndpoints } from '@oxbow/contract'
import { request } from '../http.ts'
import type { Credentials } from './garden.ts'

/** Ids of existing objects, for parameters of paths and queries. */
export interface Known {
  messages: readonly number[]
  streams: readonly number[]
  users: readonly number[]
  bot: number
  email: string
}

/** Endpoints whose responses are specific to one server, or differ each time. */
const excludedEndpoints = new Set(['events.poll', 'uploads.findTemporaryLink', 'uploads.getTemporaryLink'])

/** Fields that differ between requests: queue ids, positions in the log and times. */
const momentaryFields = new Set([
  'queue_id',
  'last_event_id',
  'position',
  'server_timestamp',
  'presence_last_update_id',
  'event_queue_longpoll_timeout_seconds',
])

const allMessages = { anchor: 'newest', num_before: '1000', num_after: '0' }
const narrows = [
  [],
  [{ operator: 'search', operand: 'pruned' }],
  [{ operator: 'is', operand: 'starred' }],
  [{ operator: 'is', operand: 'unread' }],
  [{ operator: 'is', operand: 'private' }],
]

/** Returns the responses of all reading endpoints for an account, by request. */
export async function readEverything(
  url: string,
  credentials: Credentials,
  known: Known,
): Promise<Record<string, unknown>> {
  const responses: Record<string, unknown> = {}
  const read = async (name: string, path: string, query: Record<string, string> = {}, method = 'GET') => {
    const rawRequest = { method, path, credentials, ...(method === 'GET' ? { query } : { form: query }) }
    const { status, text } = await request(url, rawRequest)
    const body = JSON.parse(text.replaceAll(url, 'http://server.example'))
    responses[`${name} ${path} ${JSON.stringify(query)}`] = { status, body: omitMomentaryFields(body) }
  }
  for (const { name, endpoint } of listEndpoints()) {
    if (endpoint.method !== 'GET' || excludedEndpoints.has(name)) continue
    for (const path of pathsOf(endpoint, known))
      for (const query of queriesOf(name, known)) await read(name, path, query)
  }
  await read('events.register', '/api/v1/register', { include_subscribers: 'true' }, 'POST')
  return responses
}

function omitMomentaryFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(omitMomentaryFields)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !momentaryFields.has(name))
      .map(([name, item]) => [name, omitMomentaryFields(item)]),
  )
}

function pathsOf({ path }: Endpoint, { messages, streams, users, bot, email }: Known): string[] {
  const values: Record<string, readonly (number | string)[]> = {
    message_id: messages,
    stream_id: streams,
    user_id: users,
    user_id_or_email: users,
    bot_id: [bot],
    email: [email],
    subdomain: ['hill'],
  }
  let paths: string[] = [path]
  for (const [placeholder, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
    const known = values[name]
    if (!known) throw new Error(`no value is known for ${placeholder} of ${path}`)
    paths = paths.flatMap((each) => known.map((value) => each.replace(placeholder, String(value))))
  }
  return paths
}

function queriesOf(name: string, { messages, users }: Known): Record<string, string>[] {
  switch (name) {
    case 'messages.list':
      return narrows.map((narrow) => ({ ...allMessages, narrow: JSON.stringify(narrow) }))
    case 'messages.matchesNarrow':
      return [
        { msg_ids: JSON.stringify(messages), narrow: JSON.stringify([{ operator: 'has', operand: 'link' }]) },
      ]
    case 'users.list':
      return [{ include_custom_profile_fields: 'true' }]
    case 'streams.getId':
      return [{ stream: 'roses' }]
    case 'subscriptions.list':
      return [{ include_subscribers: 'true' }]
    case 'presence.listOf':
      return [{ user_ids: JSON.stringify(users) }]
    case 'permissions.explain':
      return [{ action: 'create_streams' }, { action: 'invite_others' }]
    default:
      return [{}]
  }
}
