import { pokeAfterCommit } from '../../../src/events/emit.ts'
import { type OutgoingMessage, sendWithoutOwnerNotice } from '../../../src/messages/send/post-message.ts'
import type { Actor } from '../../../src/platform/actor.ts'
import type { App } from '../../../src/platform/app.ts'
import { inTransaction } from '../../../src/platform/database/transaction.ts'

/** A message that has its id and its place, and that nobody sees until it is let go. */
export interface HeldSend {
  /** Resolves once it is so far. It may have to wait for others that are held. */
  isReady: Promise<unknown>
  letGo(): void
  /** As the server answers whoever sends it. */
  answer: Promise<{ id: number }>
}

/** Sends as the server does, but for the commit. */
export function holdSend(app: App, actor: Actor, posted: OutgoingMessage): HeldSend {
  const isReady = Promise.withResolvers<void>()
  const isFree = Promise.withResolvers<void>()
  const answer = inTransaction(app.db, async (tx) => {
    // Owners of bots are notified after a commit, in another transaction, which could not begin inside this one.
    const { id } = await sendWithoutOwnerNotice({ ...app, db: tx }, actor, posted)
    isReady.resolve()
    await isFree.promise
    return { id }
  }).finally(() => {
    isReady.resolve()
    pokeAfterCommit(app.db)
  })
  return { isReady: isReady.promise, letGo: isFree.resolve, answer }
}
