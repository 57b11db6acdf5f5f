import type { MessageId } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import { displayEmail } from '../../identity/accounts/public-account.ts'
import { messageRerendered } from '../../messages/link-previews/events.ts'
import { listRerenderAudiences, lockMessageToRerender, updateRendered } from '../../messages/rerender.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import {
  type Erasure,
  listMentioningSubmessages,
  listMentioningVersions,
  type PersonKey,
  recordSearch,
  searchMentions,
  updateSubmessage,
  updateVersion,
} from './queries.ts'
import { replaceInMarkdown, replaceMentions } from './replace-mentions.ts'

/** Messages searched per statement. */
const batchSize = 5_000

/**
 * Replaces the person's name in mentions, in all messages of the organization and their earlier
 * versions. Yields the number of changed messages after each step. Continues where an earlier call
 * stopped.
 */
export async function* replaceMentionsInMessages(app: App, erasure: Erasure): AsyncGenerator<number> {
  let { searched_to } = erasure
  for (;;) {
    const { last, ids } = await searchMentions(app.db, { ...erasure, searched_to }, batchSize)
    if (last === null) return
    for (const id of ids) {
      if (await replaceInMessage(app, erasure, id)) yield 1
    }
    searched_to = last
    await recordSearch(app.db, erasure, searched_to)
    yield 0
  }
}

/**
 * Replaces the name in one message and its earlier versions. Returns whether anything was changed.
 * Clients get the new text as a re-rendered message, not as an edit.
 */
async function replaceInMessage(app: App, key: PersonKey, id: MessageId): Promise<boolean> {
  return inTransaction(app.db, async (tx) => {
    const message = await lockMessageToRerender(tx, { organization_id: key.organization_id, id })
    if (!message) return false
    let isChanged = false
    for (const version of await listMentioningVersions(tx, key, id)) {
      const { prev_content: content, prev_rendered_content: rendered_content } = version
      const replaced = replaceMentions({ content, rendered_content }, key.user_id)
      if (!replaced) continue
      isChanged = true
      await updateVersion(tx, key, id, {
        id: version.id,
        prev_content: replaced.content,
        prev_rendered_content: replaced.rendered_content,
      })
    }
    const replaced = replaceMentions(message, key.user_id)
    if (!replaced) return isChanged
    const { content, rendered_content, names } = replaced
    await updateRendered(tx, message, { content, rendered_content })
    await replaceInSubmessages(tx, key, { id, names })
    const changed = { ...message, content, rendered_content }
    const sender = displayEmail(app.config, { ...message, id: message.sender_id })
    for (const audience of await listRerenderAudiences(tx, message))
      emit(tx, messageRerendered(changed, { sender, rendered_content }, audience))
    return true
  })
}

/**
 * Replaces the name in the texts of a poll or to-do list, which repeat the text of their message. Clients show
 * the new texts after they have loaded the message again, because no event changes a submessage.
 */
async function replaceInSubmessages(
  tx: Tx,
  key: PersonKey,
  { id, names }: { id: MessageId; names: ReadonlySet<string> },
): Promise<void> {
  for (const submessage of await listMentioningSubmessages(tx, key, id)) {
    const content = replaceInMarkdown(submessage.content, names, key.user_id)
    if (content !== submessage.content) await updateSubmessage(tx, key, id, { ...submessage, content })
  }
}
