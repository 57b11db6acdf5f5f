export const standbyReason = 'PostgreSQL is a standby, which cannot be written to'

/**
 * Error codes of an outage: PostgreSQL serves no statement at all until the cause has passed or was removed.
 */
const outages: Record<string, string> = {
  '57P01': 'PostgreSQL is shutting down',
  '57P02': 'PostgreSQL restarts after a crash',
  '57P03': 'PostgreSQL is starting up or shutting down',
  '53300': 'PostgreSQL has no connection left',
  '25006': standbyReason,
  '53100': 'the disk of PostgreSQL is full',
}

/** Error codes that concern a single statement; other statements may succeed at the same time. */
const delays: Record<string, string> = {
  '57014': 'a statement took too long',
  '25P03': 'this node stood still during a transaction',
  '55P03': 'a lock was not released in time',
  '40001': 'concurrent changes prevented every attempt of a transaction',
  '40P01': 'every attempt of a transaction ended in a deadlock',
  '53200': 'PostgreSQL has no memory left for the statement',
}

const cannotReach = 'PostgreSQL cannot be reached'
const connectionCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
])

export interface Unavailability {
  reason: string
  /** Whether all statements fail, not only this one. */
  isOutage: boolean
}

/** Returns why PostgreSQL did not serve a statement; undefined for any other error, which indicates a bug. */
export function explainUnavailability(error: unknown): Unavailability | undefined {
  const { code = '', message = '', syscall } = (error ?? {}) as Partial<NodeJS.ErrnoException>
  const delay = delays[code] ?? (message === 'Query read timeout' ? delays['57014'] : undefined)
  if (delay) return { reason: delay, isOutage: false }
  const outage = outages[code] ?? (isConnectionError(code, message, syscall) ? cannotReach : undefined)
  return outage ? { reason: outage, isOutage: true } : undefined
}

function isConnectionError(code: string, message: string, syscall: string | undefined): boolean {
  if (code === 'ENOENT') return syscall === 'connect'
  if (connectionCodes.has(code) || code.startsWith('08')) return true
  return /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/.test(
    message,
  )
}

/**
 * Whether the error, or its cause, is that of a standby: it refuses to write, and to call functions about the
 * position in its write-ahead log.
 */
export function isStandbyError(error: unknown): boolean {
  const { code, message = '', cause } = (error ?? {}) as Partial<NodeJS.ErrnoException>
  if (code === '25006' || (code === '55000' && message.includes('recovery'))) return true
  return cause !== undefined && isStandbyError(cause)
}

/** Whether the error means that PostgreSQL was unreachable or too busy, and not that there is a bug. */
export const isDatabaseUnavailable = (error: unknown): boolean => explainUnavailability(error) !== undefined
