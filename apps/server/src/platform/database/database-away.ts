const connectionCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  '57P01', // shut down by an administrator
  '57P02', // crash of another backend
  '57P03', // starting up or shutting down
  '53300', // too many connections
  '57014', // a statement took too long, most often behind someone's lock
  '55P03', // a lock was not to be had in time
  '40001', // so many change the same that no attempt came through
  '40P01', // and each waited for the other
  '53200', // no room for another lock
  '25006', // the server became a standby
])

/** Whether PostgreSQL could not be reached, went away or was too busy, as opposed to a mistake of ours. */
export function isDatabaseAway(error: unknown): boolean {
  const { code, message, syscall } = (error ?? {}) as { code?: string; message?: string; syscall?: string }
  if (code === 'ENOENT') return syscall === 'connect'
  if (code && (connectionCodes.has(code) || code.startsWith('08'))) return true
  return /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/.test(
    message ?? '',
  )
}
