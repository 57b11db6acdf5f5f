import type { App } from '../../platform/app.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { job, longJobs } from '../../platform/jobs/jobs.ts'
import { deleteDesertedMessages, deleteOwnMessages, deleteOwnUploads } from './delete-own-messages.ts'
import { deleteErasure, deleteTracesOfMessages, findErasure, type PersonKey } from './queries.ts'
import { replaceMentionsInMessages } from './replace-mentions-in-messages.ts'

export interface ErasureProgress {
  /** Messages that were deleted. */
  messages: number
  /** Messages of other users in which the person's name was replaced. */
  mentions: number
  uploads: number
}

/**
 * Completes an erasure in small steps, each of which is one transaction. It can be stopped after any of them and
 * called again, also at the same time. Does nothing if the erasure is complete. `onProgress` gets the numbers of this
 * call, which are lower than those of the erasure if it was stopped before or runs twice.
 */
export async function continueErasure(
  app: App,
  key: PersonKey,
  onProgress?: (progress: ErasureProgress) => void,
): Promise<void> {
  const progress: ErasureProgress = { messages: 0, mentions: 0, uploads: 0 }
  const count = async (field: keyof ErasureProgress, steps: AsyncIterable<number>) => {
    for await (const done of steps) {
      progress[field] += done
      onProgress?.(progress)
    }
  }
  for (;;) {
    const erasure = await findErasure(app.db, key)
    if (!erasure) return
    if (erasure.deletes_messages) {
      await count('messages', deleteOwnMessages(app, key))
      await inTransaction(app.db, (tx) => deleteTracesOfMessages(tx, key))
    }
    await count('messages', deleteDesertedMessages(app, key))
    await count('uploads', deleteOwnUploads(app.db, key, erasure.deletes_messages ? 'all' : 'unused'))
    await count('mentions', replaceMentionsInMessages(app, erasure))
    await inTransaction(app.db, (tx) => deleteErasure(tx, erasure))
  }
}

/** Job that completes an erasure even if the node or command that began it was killed. */
export const eraseUserJob = job<PersonKey>({
  name: 'erase_user',
  queue: longJobs,
  async run(app, key) {
    await continueErasure(app, key)
  },
})

/**
 * Job that replaces the name in mentions again. A message or edit that was being written during the erasure can have
 * the old name, because its text was rendered before and stored after the first search.
 */
export const replaceLateMentionsJob = job<PersonKey>({
  name: 'replace_late_mentions',
  queue: longJobs,
  async run(app, key) {
    const search = replaceMentionsInMessages(app, { ...key, deletes_messages: false, searched_to: 0 })
    for await (const _replaced of search);
  },
})
