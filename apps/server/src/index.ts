export { eraseUserByOperator, getPersonToErase } from './erasure/operate.ts'
export { faults } from './events/faults.ts'
export { recordDatabaseRestore } from './events/operate.ts'
export { findFirstAccountLink } from './first-account/operate.ts'
export { type Node, type NodeOptions, type OpenApp, openApp, startNode } from './node.ts'
export { checkFileStore, type FileStoreKind, moveFileStore } from './operate-files.ts'
export { finishMigrations, type MigrationStatus, readMigrationStatus } from './operate-migrations.ts'
export { deleteOrganizationByOperator, getOrganizationToDelete } from './operate-organizations.ts'
export { listOrganizations } from './organization/queries.ts'
export { reactivateOrganization } from './organization-settings/reactivate-organization.ts'
export {
  createImportLinks,
  importLinkDays,
  mailImportLinks,
  refuseImportWithoutMail,
} from './password-reset/import-links.ts'
export { createResetLinkByOperator } from './password-reset/operate.ts'
export { ConfigError, type LoadedConfig, loadConfig } from './platform/config/load-config.ts'
export { type Config, settings } from './platform/config/settings.ts'
export { type ShownSetting, showConfig } from './platform/config/show-config.ts'
export { describeUnknownVariables } from './platform/config/unknown-variables.ts'
export type { BackgroundProgress } from './platform/database/background/queries.ts'
export { writeCheckpoint } from './platform/database/checkpoint.ts'
export { compareSchema, type SchemaComparison } from './platform/database/compare-schema.ts'
export { connectionOptions } from './platform/database/database.ts'
export { schemaVersion } from './platform/database/migrate.ts'
export { prepareDatabase as migrateDatabase } from './platform/database/prepare.ts'
export type { Finding, FindingState } from './platform/doctor/finding.ts'
export { findJobsHold, resumeJobs } from './platform/jobs-hold.ts'
export { makeLog } from './platform/log.ts'
export { dropJobs, readJobsStatus } from './platform/operate-jobs.ts'
export { OperatorError, SetupError } from './platform/operator-error.ts'
export { makeResolveHost, type ResolveHost } from './platform/outbound/resolve-host.ts'
export type { Peers } from './platform/peers.ts'
export { rotateSecret } from './rotate-secret.ts'
export { changeUploadQuota } from './uploads/operate.ts'
export { createBotCatalog } from './users/bots/catalog.ts'
export { addBotByOperator } from './users/bots/operate.ts'
export { createOrganization, createOrganizationWithoutOwner } from './users/create-organization.ts'
export {
  addUserByOperator,
  getPersonToSignIn,
  listUsersForOperator,
  refuseWeakPassword,
  revealApiKey,
  setPasswordByOperator,
} from './users/operate.ts'
