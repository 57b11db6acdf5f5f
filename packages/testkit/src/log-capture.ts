import type { DestinationStream } from 'pino'
import { addWarning } from './test-process.ts'

/** Matches the beginning of a line of level `warn` or above. */
const isWarning = /^\{"level":"(warn|error|fatal)"/

const levels = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60 }

type LogEntry = Record<string, unknown>

/** Collects the log lines of nodes, so that a test can search them. */
export class LogCapture implements DestinationStream {
  readonly lines: string[] = []

  write(line: string): void {
    this.lines.push(line)
    if (isWarning.test(line)) addWarning(line)
  }

  get text(): string {
    return this.lines.join('')
  }

  /** Returns the entries of this level and above: 20 debug, 30 information, 40 warning, 50 error. */
  entries(level = 40): LogEntry[] {
    return this.lines
      .map((line) => JSON.parse(line))
      .filter((entry) => levels[entry.level as keyof typeof levels] >= level)
  }

  /** Returns the warnings and errors, except those that nodes log only because the machine is slow. */
  problems(): LogEntry[] {
    const entries = this.entries()
    const wasSequencerReplaced = entries.some(({ msg }) => msg === sequencerReplaced)
    const wasSilent = entries.some((entry) => isSign(entry, [silence]))
    const signs = [
      ...slownessSigns,
      ...(wasSequencerReplaced ? replacementSigns : []),
      ...(wasSilent ? silenceSigns : []),
    ]
    return entries.filter((entry) => !isSign(entry, signs))
  }
}

/** A warning that says that something was slow: its message, and its error if the message alone does not say so. */
interface Sign {
  message: RegExp
  error?: RegExp
}

const sequencerReplaced = 'the sequencer stood still; this node ended its session'
const tookTooLong = /^(57014|25P03)\b|Query read timeout/
const sessionEnded = /^57P01\b|Connection terminated/

/** A warning of a node that ended a session because PostgreSQL had not responded for seconds. */
const silence: Sign = { message: /: the session with PostgreSQL broke$/, error: /Query read timeout/ }

const slownessSigns: readonly Sign[] = [
  silence,
  { message: new RegExp(`^${sequencerReplaced}$`) },
  // Other reasons, such as a deadlock or a lock that is not released, can be faults of the server.
  { message: /refused with 503: (a statement took too long|this node stood still during a transaction)$/ },
  { message: /^the last poll times were not saved/, error: tookTooLong },
  { message: /^poll times of event queues could not be saved/, error: tookTooLong },
]

/** Warnings of the former sequencer after another node has ended its session. */
const replacementSigns: readonly Sign[] = [
  { message: /^this node cannot number events/, error: sessionEnded },
  { message: /^oxbow sequencer: the session with PostgreSQL broke$/, error: sessionEnded },
]

/** Warnings of a node until its new session is open after a silence. */
const silenceSigns: readonly Sign[] = [
  { message: /: the session with PostgreSQL broke$/, error: /timeout expired/ },
  {
    message: /^the heads of the event log could not be read$/,
    error: /Query read timeout|Connection terminated/,
  },
]

function isSign({ level, msg, err }: LogEntry, signs: readonly Sign[]): boolean {
  const { code = '', message = '' } = (err ?? {}) as { code?: string; message?: string }
  return (
    level === 'warn' &&
    signs.some((sign) => sign.message.test(String(msg)) && (sign.error?.test(`${code} ${message}`) ?? true))
  )
}
