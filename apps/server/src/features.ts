import type { Api } from '@oxbow/contract'
import { alertWordsFeature } from './alert-words/feature.ts'
import { devicesFeature } from './devices/feature.ts'
import { domainsFeature } from './domains/feature.ts'
import { draftsFeature } from './drafts/feature.ts'
import { emojiFeature } from './emoji/feature.ts'
import { erasureFeature } from './erasure/feature.ts'
import type { EventShape } from './events/event-shape.ts'
import { exportsFeature } from './exports/feature.ts'
import { externalPicturesFeature } from './external-pictures/feature.ts'
import type { Feature } from './feature.ts'
import { firstAccountFeature } from './first-account/feature.ts'
import { homeFeature } from './home/feature.ts'
import { identityFeature } from './identity/feature.ts'
import { invitationsFeature } from './invitations/feature.ts'
import { linkifiersFeature } from './linkifiers/feature.ts'
import { messagesFeature } from './messages/feature.ts'
import { organizationFeature } from './organization/feature.ts'
import { organizationDeletionFeature } from './organization-deletion/feature.ts'
import { organizationFinderFeature } from './organization-finder/feature.ts'
import { organizationPicturesFeature } from './organization-pictures/feature.ts'
import { organizationSettingsFeature } from './organization-settings/feature.ts'
import { outgoingWebhooksFeature } from './outgoing-webhooks/feature.ts'
import { ownDataFeature } from './own-data/feature.ts'
import { passwordResetFeature } from './password-reset/feature.ts'
import { permissionsFeature } from './permissions/feature.ts'
import type { BackgroundMigration } from './platform/database/background/background-migration.ts'
import type { AllReferences } from './platform/files/check-files.ts'
import type { Routes } from './platform/http/bind.ts'
import type { Job } from './platform/jobs.ts'
import type { SealedColumn } from './platform/reseal.ts'
import type { Secrets } from './platform/secrets.ts'
import { presenceFeature } from './presence/feature.ts'
import { profileFieldsFeature } from './profile-fields/feature.ts'
import { queuesFeature } from './queues/feature.ts'
import { referenceFeature } from './reference/feature.ts'
import { reportsFeature } from './reports/feature.ts'
import { sessionsFeature } from './sessions/feature.ts'
import { settingsFeature } from './settings/feature.ts'
import { signInFeature } from './sign-in/feature.ts'
import { streamsFeature } from './streams/feature.ts'
import { typingFeature } from './typing/feature.ts'
import { uploadsFeature } from './uploads/feature.ts'
import { userGroupsFeature } from './user-groups/feature.ts'
import { userStatusFeature } from './user-status/feature.ts'
import { usersFeature } from './users/feature.ts'
import { webClientFeature } from './web-client/feature.ts'
import { webhooksFeature } from './webhooks/feature.ts'

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

export const eventShapes = (secrets: Secrets): EventShape[] =>
  collect(features, (feature) => feature.eventShapes?.(secrets))

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
