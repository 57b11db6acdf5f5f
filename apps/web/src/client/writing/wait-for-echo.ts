import type { MessageId } from '@oxbow/contract'
import { effect } from '@preact/signals'
import type { SendTarget } from '../conversations/target.ts'
import { catchUp } from '../follow.ts'
import { confirmedMessage, windowChanges } from '../messages/windows.ts'
import { streamsById } from '../streams/streams.ts'

/** After this time the event of a stored message has arrived, unless the connection is dead. */
const maxEventDelayMs = 5_000

const delay = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

/**
 * Waits until a stored message is shown, or its event is certain not to come. If it does not arrive in time,
 * the connection may be dead without having been closed: then the server is asked, however long it takes,
 * for all events. `findTarget` returns the target of the message until its event has arrived.
 */
export async function waitForEcho(
  message_id: MessageId,
  findTarget: () => SendTarget | undefined,
): Promise<void> {
  // If an earlier attempt had stored the message, its event may have arrived without the local id.
  const { promise: isLoaded, resolve } = Promise.withResolvers<void>()
  const stop = effect(() => {
    windowChanges.value
    if (confirmedMessage(message_id)) resolve()
  })
  await Promise.race([isLoaded, waitForEvent(findTarget)])
  stop()
}

async function waitForEvent(findTarget: () => SendTarget | undefined): Promise<void> {
  await delay(maxEventDelayMs)
  if (isMissing(findTarget())) await catchUp()
}

/** Whether an event is missing. The server sends no events of streams that the account is not in. */
const isMissing = (target: SendTarget | undefined): boolean =>
  target?.type === 'private' || (target !== undefined && streamsById.peek().has(target.stream_id))
