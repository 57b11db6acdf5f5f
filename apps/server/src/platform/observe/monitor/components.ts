import type { Config } from '../../config/settings.ts'
import { canSendMail } from '../../mail/mail.ts'
import type { DiskSpace } from './disk-space.ts'
import type { Sample } from './sample.ts'

/** `degraded`: it works, but late or not for everyone. */
export type ComponentState = 'working' | 'degraded' | 'down'

/** The parts of the server that people notice. Mail is left out if the server sends none. */
export interface Components {
  database: ComponentState
  events: ComponentState
  files: ComponentState
  jobs: ComponentState
  mail?: ComponentState
}

const slowStatementSeconds = 1
/** If the oldest event waits this long for its number, all events are late. */
const lateEvents = { degradedMs: 2_000, downMs: 30_000 }
const lateJobs = { degradedSeconds: 600, downSeconds: 3_600 }
/** Fractions of the disk that are still free. */
const freeSpace = { degraded: 0.05, down: 0.01 }
/** Failing e-mails count for this long, because a job is retried for days, also if its address is wrong. */
const maxFailingMailSeconds = 3_600
/** Names of jobs that send e-mail begin with this. */
const mailJobPrefix = 'mail_'

/** Judges the parts of the server by one observation. */
export function evaluateComponents(config: Config, sample: Sample): Components {
  const database = judgeDatabase(sample)
  const isLost = database === 'down'
  return {
    database,
    events: isLost ? 'down' : judgeAge(sample.outboxAgeMs, lateEvents.degradedMs, lateEvents.downMs),
    files: judgeFiles(sample),
    jobs: isLost ? 'down' : judgeJobs(sample),
    ...(canSendMail({ config }) && { mail: isLost ? 'down' : judgeMail(sample) }),
  }
}

function judgeDatabase({ database, databaseSeconds, isCutOff }: Sample): ComponentState {
  if (isCutOff || database?.is_standby) return 'down'
  return !database || databaseSeconds > slowStatementSeconds ? 'degraded' : 'working'
}

function judgeFiles({ areFilesFailing, disks }: Sample): ComponentState {
  if (areFilesFailing) return 'down'
  const free = Math.min(...disks.filter(({ directory }) => directory === 'files').map(freeShare), 1)
  if (free < freeSpace.down) return 'down'
  return free < freeSpace.degraded ? 'degraded' : 'working'
}

const freeShare = ({ free, size }: DiskSpace): number => (size > 0 ? free / size : 1)

function judgeJobs({ database }: Sample): ComponentState {
  if (!database) return 'degraded'
  const { are_jobs_held, jobs } = database
  const age = judgeAge(
    Math.max(0, ...jobs.map(({ oldest_seconds }) => oldest_seconds)),
    lateJobs.degradedSeconds,
    lateJobs.downSeconds,
  )
  return are_jobs_held && age === 'working' ? 'degraded' : age
}

/**
 * E-mails are sent by jobs, which are retried while the mail server refuses them. If an e-mail was sent since a
 * failing one was queued, the mail server works, and refuses one address.
 */
function judgeMail({ database, secondsSinceMail = Infinity }: Sample): ComponentState {
  if (!database) return 'degraded'
  const { are_jobs_held, jobs } = database
  if (are_jobs_held) return 'down'
  const countedSeconds = Math.min(secondsSinceMail, maxFailingMailSeconds)
  const isFailing = jobs.some(
    ({ kind, retrying, newest_retrying_seconds }) =>
      kind.startsWith(mailJobPrefix) && retrying > 0 && newest_retrying_seconds < countedSeconds,
  )
  return isFailing ? 'degraded' : 'working'
}

function judgeAge(age: number, degraded: number, down: number): ComponentState {
  if (age > down) return 'down'
  return age > degraded ? 'degraded' : 'working'
}
