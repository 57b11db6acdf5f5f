import type { Api } from '@oxbow/contract'
import { erasureFeature } from './administration/erasure/feature.ts'
import { exportsFeature } from './administration/exports/feature.ts'
import { organizationDeletionFeature } from './administration/organization-deletion/feature.ts'
import { organizationSettingsFeature } from './administration/organization-settings/feature.ts'
import { ownDataFeature } from './administration/own-data/feature.ts'
import { permissionsFeature } from './administration/permissions/feature.ts'
import { reportsFeature } from './administration/reports/feature.ts'
import { outgoingWebhooksFeature } from './bots/outgoing-webhooks/feature.ts'
import { webhooksFeature } from './bots/webhooks/feature.ts'
import type { EventShape } from './events/event-shape.ts'
import type { Feature } from './feature.ts'
import { identityFeature } from './identity/feature.ts'
import { firstAccountFeature } from './joining/first-account/feature.ts'
import { invitationsFeature } from './joining/invitations/feature.ts'
import { passwordResetFeature } from './joining/password-reset/feature.ts'
import { sessionsFeature } from './joining/sessions/feature.ts'
import { alertWordsFeature } from './messages/alert-words/feature.ts'
import { draftsFeature } from './messages/drafts/feature.ts'
import { externalPicturesFeature } from './messages/external-pictures/feature.ts'
import { messagesFeature } from './messages/feature.ts'
import { uploadsFeature } from './messages/uploads/feature.ts'
import { domainsFeature } from './organization/domains/feature.ts'
import { emojiFeature } from './organization/emoji/feature.ts'
import { organizationFeature } from './organization/feature.ts'
import { organizationFinderFeature } from './organization/finder/feature.ts'
import { linkifiersFeature } from './organization/linkifiers/feature.ts'
import { organizationPicturesFeature } from './organization/pictures/feature.ts'
import { profileFieldsFeature } from './organization/profile-fields/feature.ts'
import { userGroupsFeature } from './organization/user-groups/feature.ts'
import { homeFeature } from './pages/home/feature.ts'
import { referenceFeature } from './pages/reference/feature.ts'
import { webClientFeature } from './pages/web-client/feature.ts'
import { devicesFeature } from './people/devices/feature.ts'
import { presenceFeature } from './people/presence/feature.ts'
import { settingsFeature } from './people/settings/feature.ts'
import { typingFeature } from './people/typing/feature.ts'
import { userStatusFeature } from './people/user-status/feature.ts'
import { usersFeature } from './people/users/feature.ts'
import type { App } from './platform/app.ts'
import type { BackgroundMigration } from './platform/database/background/background-migration.ts'
import type { AllReferences } from './platform/files/check-files.ts'
import type { Routes } from './platform/http/bind.ts'
import type { Job } from './platform/jobs/jobs.ts'
import type { SealedColumn } from './platform/secrets/reseal.ts'
import { queuesFeature } from './queues/feature.ts'
import { reachFeature } from './reach/feature.ts'
import { signInFeature } from './sign-in/feature.ts'
import { streamsFeature } from './streams/feature.ts'

const withState = [
  identityFeature,
  organizationFeature,
  organizationFinderFeature,
  signInFeature,
  profileFieldsFeature,
  domainsFeature,
  organizationPicturesFeature,
  linkifiersFeature,
  emojiFeature,
  externalPicturesFeature,
  userGroupsFeature,
  streamsFeature,
  alertWordsFeature,
  messagesFeature,
  draftsFeature,
  uploadsFeature,
  userStatusFeature,
  usersFeature,
  sessionsFeature,
  invitationsFeature,
  firstAccountFeature,
  passwordResetFeature,
  webhooksFeature,
  outgoingWebhooksFeature,
  devicesFeature,
  settingsFeature,
  presenceFeature,
  typingFeature,
  reachFeature,
  organizationSettingsFeature,
  erasureFeature,
  ownDataFeature,
  permissionsFeature,
  exportsFeature,
  reportsFeature,
  webClientFeature,
  homeFeature,
  referenceFeature,
] as const

/** Folders of the file store with files of organizations. */
export const fileFolders: readonly string[] = collect(withState, (feature) => feature.fileFolders)

const allFeatures = [
  queuesFeature(collect(withState, ({ state }) => state)),
  ...withState,
  organizationDeletionFeature(fileFolders),
] as const

/** All features of the server. */
export const features: readonly Feature[] = allFeatures

type ActionsByGroup = { readonly [Group in keyof Api]: Routes<Api[Group]> }

/** The routes of all features together. */
type Merged<List extends readonly unknown[]> = List extends readonly [infer First, ...infer Rest]
  ? (First extends { routes: infer Declared } ? Declared : unknown) & Merged<Rest>
  : unknown

/** The actions that serve each group of the contract. A missing group or action is a compile error. */
export const routes: ActionsByGroup = mergeRoutes(allFeatures)

export const jobs: readonly Job<never>[] = collect(features, (feature) => feature.jobs)

export const backgroundMigrations: readonly BackgroundMigration[] = collect(
  features,
  (feature) => feature.backgroundMigrations,
)

export const eventShapes = (app: Pick<App, 'config' | 'secrets'>): EventShape[] =>
  collect(features, (feature) => feature.eventShapes?.(app))

export const fileReferences: AllReferences = {
  required: collect(features, ({ files }) => files?.required),
  derived: collect(features, ({ files }) => files?.derived),
}

/** All columns of the database that contain sealed texts. */
export const sealedColumns: readonly SealedColumn[] = collect(features, ({ seals }) => seals)

function collect<Item>(
  list: readonly Feature[],
  choose: (feature: Feature) => readonly Item[] | undefined,
): Item[] {
  return list.flatMap((feature) => choose(feature) ?? [])
}

function mergeRoutes<List extends readonly Feature[]>(list: List): Merged<List> {
  const merged: Record<string, Record<string, unknown>> = {}
  for (const { routes: declared = {} } of list) {
    for (const [group, actions] of Object.entries(declared)) {
      merged[group] = { ...merged[group], ...actions }
    }
  }
  return merged as Merged<List>
}
