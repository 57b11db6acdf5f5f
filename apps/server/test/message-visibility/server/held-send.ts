import { wakeSequencer } from '../../../src/events/emit.ts'
import { type OutgoingMessage, sendWithoutOwnerNotice } from '../../../src/messages/send/post-message.ts'
import type { Actor } from '../../../src/platform/actor.ts'
import type { App } from '../../../src/platform/app.ts'
import { inTransaction } from '../../../src/platform/database/transaction.ts'

/** A message that already has its id and its stream, but is committed only after `release`. */
export interface HeldSend {
  /** Resolves once the message is written. It may have to wait for other held messages. */
  isReady: Promise<unknown>
  release(): void
  /** The server's response to the sender. */
  response: Promise<{ id: number }>
}

/** Sends a message with the server's code, but delays the commit. */
export function holdSend(app: App, actor: Actor, posted: OutgoingMessage): HeldSend {
  const isReady = Promise.withResolvers<void>()
  const isFree = Promise.withResolvers<void>()
  const response = inTransaction(app.db, async (tx) => {
    // The server notifies owners of bots after the commit in another transaction, which cannot
    // start inside this one.
    const { id } = await sendWithoutOwnerNotice({ ...app, db: tx }, actor, posted)
    isReady.resolve()
    await isFree.promise
    return { id }
  }).finally(() => {
    isReady.resolve()
    wakeSequencer(app.db)
  })
  return { isReady: isReady.promise, release: isFree.resolve, response }
}
