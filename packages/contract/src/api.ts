import * as alertWords from './endpoints/alert-words.ts'
import * as authentication from './endpoints/authentication.ts'
import * as botStorage from './endpoints/bot-storage.ts'
import * as bots from './endpoints/bots.ts'
import * as dataExports from './endpoints/data-exports.ts'
import * as defaultStreams from './endpoints/default-streams.ts'
import * as devices from './endpoints/devices.ts'
import * as domains from './endpoints/domains.ts'
import * as drafts from './endpoints/drafts.ts'
import * as emoji from './endpoints/emoji.ts'
import * as events from './endpoints/events.ts'
import * as invitations from './endpoints/invitations.ts'
import * as linkifiers from './endpoints/linkifiers.ts'
import * as messages from './endpoints/messages.ts'
import * as organization from './endpoints/organization.ts'
import * as organizationPictures from './endpoints/organization-pictures.ts'
import * as permissions from './endpoints/permissions.ts'
import * as presence from './endpoints/presence.ts'
import * as profileFields from './endpoints/profile-fields.ts'
import * as reports from './endpoints/reports.ts'
import * as scheduledMessages from './endpoints/scheduled-messages.ts'
import * as server from './endpoints/server.ts'
import * as sessions from './endpoints/sessions.ts'
import * as settings from './endpoints/settings.ts'
import * as streams from './endpoints/streams.ts'
import * as subscriptions from './endpoints/subscriptions.ts'
import * as typing from './endpoints/typing.ts'
import * as uploads from './endpoints/uploads.ts'
import * as userGroups from './endpoints/user-groups.ts'
import * as userStatus from './endpoints/user-status.ts'
import * as users from './endpoints/users.ts'
import * as webhooks from './endpoints/webhooks.ts'
import type { Endpoint } from './kernel/endpoint.ts'

/** All endpoints, by group. The server, the SDK and the API reference use the same groups. */
export const api = {
  server,
  organization,
  authentication,
  sessions,
  users,
  invitations,
  bots,
  botStorage,
  settings,
  userStatus,
  alertWords,
  devices,
  profileFields,
  domains,
  organizationPictures,
  linkifiers,
  emoji,
  userGroups,
  streams,
  subscriptions,
  dataExports,
  defaultStreams,
  messages,
  drafts,
  uploads,
  scheduledMessages,
  webhooks,
  presence,
  typing,
  permissions,
  reports,
  events,
}
export type Api = typeof api

export interface NamedEndpoint {
  /** Group and name, like `users.list`. */
  name: string
  group: string
  endpoint: Endpoint
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Lists all endpoints by group, then by path and method. A module namespace would list them by name. */
export function listEndpoints(): NamedEndpoint[] {
  return Object.entries(api).flatMap(([group, members]) =>
    Object.entries(members as Record<string, Endpoint>)
      .map(([name, endpoint]) => ({ name: `${group}.${name}`, group, endpoint }))
      .sort((a, b) => order(a.endpoint, b.endpoint)),
  )
}

function order(a: Endpoint, b: Endpoint): number {
  if (a.path === b.path) return methods.indexOf(a.method) - methods.indexOf(b.method)
  return a.path < b.path ? -1 : 1
}
