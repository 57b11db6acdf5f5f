import type { App } from '../../../platform/app.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { settleEach } from '../../../platform/settle-each.ts'
import { joinTexts, type NoticeText, notice, time } from '../../../streams/notice-text.ts'
import { enqueueNotices } from '../../../streams/notices.ts'
import { claimNotice } from '../../send/notify-bot-owner.ts'
import { type FailedMessage, listSendersToNotify, type SenderToNotify, takeFailures } from '../queries.ts'

/** Maximum number of senders that are notified before the next query for due messages. */
const maxSenders = 100
/** Maximum number of failures that a notice lists. The notice states how many more there are. */
const maxListedFailures = 10

/**
 * Notifies senders, or the owners of bots, of refused messages. A sender who still has due messages
 * is notified later, so that one notice covers all failures of a run. The owner of a bot gets at
 * most one notice per minute.
 */
export async function notifyOfFailures({ db }: App): Promise<void> {
  const senders = await listSendersToNotify(db, maxSenders)
  await settleEach('senders', senders, (sender) => inTransaction(db, (tx) => notifySender(tx, sender)))
}

async function notifySender(tx: Tx, sender: SenderToNotify): Promise<void> {
  const { organization_id, user_id, bot_type, bot_owner_id } = sender
  if (bot_type !== null && !(await claimNotice(tx, sender))) return
  // The list is empty if another node notified the sender first.
  const failed = await takeFailures(tx, sender)
  const reader = bot_type === null ? user_id : bot_owner_id
  if (failed.length === 0 || reader === null) return
  const notices = [{ users: [reader], content: buildFailureNotice(sender, failed) }]
  await enqueueNotices(tx, organization_id, { id: reader }, notices, { isNews: true })
}

function buildFailureNotice(
  { bot_type, full_name }: Pick<SenderToNotify, 'bot_type' | 'full_name'>,
  failed: readonly FailedMessage[],
): NoticeText {
  const whose = bot_type === null ? notice`` : notice` of your bot ${full_name}`
  const listed = failed.slice(0, maxListedFailures).map(describeFailure)
  const others = failed.length - listed.length
  return joinTexts(
    [
      notice`The following scheduled messages${whose} were not sent:`,
      notice``,
      ...listed,
      ...(others > 0 ? [notice`* and ${others} more`] : []),
      notice``,
      notice`They remain among the scheduled messages, where they can be changed or deleted.`,
    ],
    '\n',
  )
}

function describeFailure({ is_reminder, stream_id, deliver_at, failure }: FailedMessage): NoticeText {
  const kind = is_reminder ? 'a reminder' : stream_id === null ? 'a private message' : 'a message'
  return notice`* ${kind} for ${time(deliver_at)}: ${failure}`
}
