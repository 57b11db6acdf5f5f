import { botRecords } from './bot-records.ts'
import { messageRecords } from './message-records.ts'
import { organizationRecords } from './organization-records.ts'
import { peopleRecords } from './people-records.ts'
import type { RecordType } from './record-type.ts'
import { streamRecords } from './stream-records.ts'

/**
 * All record types, in the order in which they are exported and imported. A type comes after the
 * types that its foreign keys refer to.
 */
export const recordTypes: readonly RecordType[] = [
  ...organizationRecords,
  ...peopleRecords,
  ...streamRecords,
  ...botRecords,
  ...messageRecords,
]
