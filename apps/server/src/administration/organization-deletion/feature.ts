import type { Feature } from '../../feature.ts'
import { finishDeletions } from './finish-deletions.ts'

/** Deletion of an organization with all of its rows and files. */
export const organizationDeletionFeature = (folders: readonly string[]) =>
  ({ jobs: [finishDeletions(folders)] }) satisfies Feature
