import type { MessageId } from '@oxbow/contract'
import { emitReserved, pokeAfterCommit, reserveOutboxIds } from '../../events/emit.ts'
import type { Db } from '../../platform/database/database.ts'
import { lockRoles, lockStreamsShared } from '../../platform/database/locks.ts'
import { afterCommit, inSameTransaction } from '../../platform/database/transaction.ts'
import { insertFirstClaims, lockClaimableUploads } from '../attachments/claim-uploads.ts'
import { listUploadUpdates } from '../attachments/list-updates.ts'
import type { Reader } from '../visibility.ts'
import { type Destination, type Draft, executeSend, type Sender, type SendOptions } from './execute-send.ts'
import type { LoadedPreconditions } from './preconditions.ts'

interface UploadSendOptions extends SendOptions {
  /** The author of the text: the sender, or the account for which a system bot sends it. */
  writer: Reader
}

/**
 * Sends a message whose text links to uploads, like `executeSend`, and records in the same
 * transaction to which of them it refers: those that the writer may read. The owners get their
 * events before the message's own.
 */
export async function sendWithUploads(
  db: Db,
  sender: Sender,
  to: Destination,
  known: LoadedPreconditions,
  draft: Draft,
  { writer, ...options }: UploadSendOptions,
): Promise<MessageId | LoadedPreconditions> {
  return inSameTransaction(db, async (tx) => {
    const { organization_id } = sender
    // In the order of `send_message` and of deletions, so that none waits for the other in a circle.
    await lockRoles(tx, organization_id, 'shared')
    if ('stream' in to) await lockStreamsShared(tx, [to.stream])
    const uploads = await lockClaimableUploads(tx, writer, draft.rendered.uploads)
    const outboxIds = await reserveOutboxIds(tx, uploads.length)
    const outcome = await executeSend(tx, sender, to, known, draft, options)
    if (typeof outcome !== 'number') return outcome
    afterCommit(tx, pokeAfterCommit)
    if (uploads.length === 0) return outcome
    await insertFirstClaims(tx, organization_id, outcome, uploads)
    await emitReserved(tx, outboxIds, await listUploadUpdates(tx, organization_id, uploads))
    return outcome
  })
}
