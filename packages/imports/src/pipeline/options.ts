import type { Micros } from '../model/source.ts'

/** Which threads become topics of their own: those with at least so many replies, all or none. */
type ThreadTopics = number | 'all' | 'none'

export interface ImportOptions {
  /** Name of the organization. */
  name: string
  threadTopics: ThreadTopics
  /** How often the topic changes in which messages outside of threads are. */
  runningTopics: 'month' | 'day' | 'single'
  /** Time zone of the dates in topics. */
  timeZone: string
  /** Whether notices of the old system, such as "joined the channel", come as messages. */
  withNotices: boolean
  /** Address of a person who owns the organization, besides the owners in the archive. */
  owner: string
  /** Changes to people, by source id or address. */
  people: readonly PersonChange[]
  /** The moment of the archive. */
  exportedAt: Micros
  maxFileBytes: number
  maxEmoji: number
}

export interface PersonChange {
  /** Source id of the person, or the address in the archive. */
  person: string
  email: string
  name: string
  action: 'import' | 'inactive'
}

export const defaultOptions: ImportOptions = {
  name: '',
  threadTopics: 3,
  runningTopics: 'month',
  timeZone: 'UTC',
  withNotices: false,
  owner: '',
  people: [],
  exportedAt: 0,
  maxFileBytes: 2 * 1_073_741_824,
  maxEmoji: 1_000,
}

/** Messages may be a day newer than the archive, because clocks differ. */
const tolerance: Micros = 86_400_000_000

export const latestTime = ({ exportedAt }: ImportOptions): Micros => exportedAt + tolerance
