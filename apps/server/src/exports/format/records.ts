import { botRecords } from './bot-records.ts'
import { messageRecords } from './message-records.ts'
import { organizationRecords } from './organization-records.ts'
import { peopleRecords } from './people-records.ts'
import type { RecordType } from './record-type.ts'
import { streamRecords } from './stream-records.ts'

/**
 * All types of records, in the order in which they are exported and imported: a type comes after those to
 * which its rows refer by foreign keys.
 */
export const recordTypes: readonly RecordType[] = [
  ...organizationRecords,
  ...peopleRecords,
  ...streamRecords,
  ...botRecords,
  ...messageRecords,
]
