import type { Feature } from '../../feature.ts'
import { eraseUserJob, replaceLateMentionsJob } from './continue-erasure.ts'
import { eraseUser } from './erase-user.ts'

/** Erasure of a person's data. */
export const erasureFeature = {
  routes: { users: { erase: eraseUser } },
  jobs: [eraseUserJob, replaceLateMentionsJob],
} satisfies Feature
