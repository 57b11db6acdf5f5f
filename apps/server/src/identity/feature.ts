import type { Feature } from '../feature.ts'
import { sealedColumn } from '../platform/secrets/reseal.ts'
import { compareSight } from './accounts/emit-sight.ts'
import { sealBindingOfKey } from './api-keys.ts'
import { deleteExpiredSessionsJob } from './delete-expired-sessions.ts'
import { deleteOldResponses } from './idempotency.ts'

/** API keys, sessions, idempotency keys, and writeAs, the transaction of most changes. */
export const identityFeature = {
  jobs: [compareSight, deleteExpiredSessionsJob, deleteOldResponses],
  seals: [
    sealedColumn({ table: 'user_account', id: 'id', column: 'api_key_sealed', binding: sealBindingOfKey }),
  ],
} satisfies Feature
