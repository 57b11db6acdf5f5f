import type { Feature } from '../feature.ts'
import { sealedColumn } from '../platform/reseal.ts'
import { sealOwnerOfKey } from './api-keys.ts'
import { deleteExpiredSessionsJob } from './delete-expired-sessions.ts'
import { deleteOldResponses } from './idempotent-responses.ts'

/** API key or session → actor; sessions; writeAs, the transaction of nearly every change; idempotency keys. */
export const identityFeature = {
  jobs: [deleteExpiredSessionsJob, deleteOldResponses],
  seals: [sealedColumn({ table: 'user_account', id: 'id', column: 'api_key_sealed', owner: sealOwnerOfKey })],
} satisfies Feature
