import * as alertWords from './alert-words/endpoints.ts'
import * as bots from './bots/endpoints.ts'
import * as botStorage from './bots/storage.ts'
import * as devices from './devices/endpoints.ts'
import * as domains from './domains/endpoints.ts'
import * as drafts from './drafts/endpoints.ts'
import * as emoji from './emoji/endpoints.ts'
import * as events from './events/endpoints.ts'
import * as dataExports from './exports/endpoints.ts'
import * as invitations from './invitations/endpoints.ts'
import type { Endpoint } from './kernel/endpoint.ts'
import * as linkifiers from './linkifiers/endpoints.ts'
import * as messages from './messages/endpoints.ts'
import * as mutedUsers from './muted-users/endpoints.ts'
import * as notifications from './notifications/endpoints.ts'
import * as organization from './organization/endpoints.ts'
import * as organizationPictures from './organization/pictures.ts'
import * as permissions from './permissions/endpoints.ts'
import * as presence from './presence/endpoints.ts'
import * as profileFields from './profile-fields/endpoints.ts'
import * as reports from './reports/endpoints.ts'
import * as scheduledMessages from './scheduled-messages/endpoints.ts'
import * as server from './server/endpoints.ts'
import * as authentication from './sessions/authentication.ts'
import * as sessions from './sessions/endpoints.ts'
import * as settings from './settings/endpoints.ts'
import * as streamFolders from './stream-folders/endpoints.ts'
import * as streamSections from './stream-sections/endpoints.ts'
import * as defaultStreams from './streams/default-streams.ts'
import * as streams from './streams/endpoints.ts'
import * as subscriptions from './subscriptions/endpoints.ts'
import * as typing from './typing/endpoints.ts'
import * as uploads from './uploads/endpoints.ts'
import * as userGroups from './user-groups/endpoints.ts'
import * as userStatus from './user-status/endpoints.ts'
import * as users from './users/endpoints.ts'
import * as webhooks from './webhooks/endpoints.ts'

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
  mutedUsers,
  devices,
  profileFields,
  domains,
  organizationPictures,
  linkifiers,
  emoji,
  userGroups,
  streams,
  streamFolders,
  streamSections,
  subscriptions,
  dataExports,
  defaultStreams,
  messages,
  notifications,
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
