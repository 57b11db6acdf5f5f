import { connection, whenRecovered } from './connection.ts'
import { reconnect } from './follow.ts'
import type { SendTarget } from './outbox-entry.ts'
import { base } from './store.ts'
import { streamsById } from './streams.ts'

/** After this time the event of a stored message has arrived, unless the connection is dead. */
const maxEventDelayMs = 5_000

const delay = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

/**
 * Waits until the event of a stored message has had time to arrive. If it does not, opens a new
 * connection and waits for that one: the old one may be dead without having been closed.
 * `findTarget` returns the target of the message until its event has arrived.
 */
export async function waitForEcho(
  message_id: number,
  findTarget: () => SendTarget | undefined,
): Promise<void> {
  // If an earlier attempt had stored the message, its event has arrived already.
  const isPast = message_id <= (base.peek()?.max_message_id ?? 0)
  await delay(isPast ? 0 : maxEventDelayMs)
  if (isPast || !isMissing(findTarget())) return
  reconnect()
  // A new connection that fails is reported only after some time.
  await delay(maxEventDelayMs)
  if (connection.peek().status !== 'troubled') return
  await whenRecovered()
  await delay(maxEventDelayMs)
}

/** Whether an event is missing. The server sends no events of streams that the account is not in. */
const isMissing = (target: SendTarget | undefined): boolean =>
  target?.type === 'private' || (target !== undefined && streamsById.peek().has(target.stream_id))
