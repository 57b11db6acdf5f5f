import type { DatabaseFigures } from './database-figures.ts'
import type { DiskSpace } from './disk-space.ts'

/** Observations of one moment. */
export interface Sample {
  /** Undefined if PostgreSQL did not answer. */
  database: DatabaseFigures | undefined
  databaseSeconds: number
  /** Seconds since this node last sent an e-mail; undefined if it has sent none. */
  secondsSinceMail: number | undefined
  disks: readonly DiskSpace[]
  areFilesFailing: boolean
  isCutOff: boolean
  outboxAgeMs: number
}
