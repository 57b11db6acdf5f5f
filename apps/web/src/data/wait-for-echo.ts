import { connection, whenRecovered } from './connection.ts'
import { reconnect } from './follow.ts'
import { base } from './store.ts'

/** After this time the event of a stored message has arrived, unless the connection is dead. */
const maxEventDelayMs = 5_000

const delay = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

/**
 * Waits until the event of a stored message has had time to arrive. If it does not, opens a new
 * connection and waits for that one: the old one may be dead without having been closed. There is no
 * event in streams that the account is not in.
 */
export async function waitForEcho(message_id: number, isMissing: () => boolean): Promise<void> {
  // If an earlier attempt had stored the message, its event has arrived already.
  const isPast = message_id <= (base.peek()?.max_message_id ?? 0)
  await delay(isPast ? 0 : maxEventDelayMs)
  if (isPast || !isMissing()) return
  reconnect()
  if (connection.peek().status === 'troubled') await whenRecovered()
  await delay(maxEventDelayMs)
}
