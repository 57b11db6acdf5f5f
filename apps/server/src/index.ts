export { reactivateOrganization } from './administration/organization-settings/reactivate-organization.ts'
export { faults } from './events/faults.ts'
export { type Node, type NodeOptions, type OpenApp, openApp, startNode } from './node.ts'
export { addBotByOperator } from './operators/bots.ts'
export type { Finding, FindingState } from './operators/doctor/finding.ts'
export { eraseUserByOperator, getPersonToErase } from './operators/erasure.ts'
export { recordDatabaseRestore } from './operators/events.ts'
export { checkFileStore, type FileStoreKind, moveFileStore } from './operators/files.ts'
export { findFirstAccountLink } from './operators/first-account.ts'
export {
  createImportLinks,
  importLinkDays,
  mailImportLinks,
  refuseImportWithoutMail,
} from './operators/import-links.ts'
export { dropJobs, listJobs, readJobsStatus, retryJobs } from './operators/jobs.ts'
export { finishMigrations, type MigrationStatus, readMigrationStatus } from './operators/migrations.ts'
export { deleteOrganizationByOperator, getOrganizationToDelete } from './operators/organizations.ts'
export { createResetLinkByOperator } from './operators/password-reset.ts'
export { rotateSecret } from './operators/rotate-secret.ts'
export { changeUploadQuota } from './operators/upload-quota.ts'
export {
  addUserByOperator,
  getPersonToSignIn,
  listUsersForOperator,
  refuseWeakPassword,
  revealApiKey,
  setPasswordByOperator,
} from './operators/users.ts'
export { listOrganizations } from './organization/queries.ts'
export { createBotCatalog } from './people/users/bots/catalog.ts'
export { createOrganization, createOrganizationWithoutOwner } from './people/users/create-organization.ts'
export { collectGarbage } from './platform/collect-garbage.ts'
export { ConfigError, type LoadedConfig, loadConfig } from './platform/config/load-config.ts'
export { type Config, settings } from './platform/config/settings.ts'
export { type ShownSetting, showConfig } from './platform/config/show-config.ts'
export { describeUnknownVariables } from './platform/config/unknown-variables.ts'
export type { BackgroundProgress } from './platform/database/background/queries.ts'
export { baseline } from './platform/database/baseline.ts'
export { writeCheckpoint } from './platform/database/checkpoint.ts'
export { compareSchema, type SchemaComparison } from './platform/database/compare-schema.ts'
export { connectionOptions } from './platform/database/database.ts'
export { schemaVersion } from './platform/database/list-migrations.ts'
export { prepareDatabase as migrateDatabase } from './platform/database/prepare.ts'
export { findJobsHold, resumeJobs } from './platform/jobs/jobs-hold.ts'
export { makeLog } from './platform/observe/log.ts'
export { OperatorError, SetupError } from './platform/operator-error.ts'
export { makeResolveHost, type ResolveHost } from './platform/outbound/resolve-host.ts'
export type { Peers } from './platform/peers.ts'
