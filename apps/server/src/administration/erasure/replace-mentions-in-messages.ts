import type { MessageId } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import { displayEmail } from '../../identity/accounts/public-account.ts'
import { messageRerendered } from '../../messages/link-previews/events.ts'
import { listRerenderAudiences, lockMessageToRerender, updateRendered } from '../../messages/rerender.ts'
import type { App } from '../../platform/app.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import {
  type Erasure,
  listMentioningVersions,
  type PersonKey,
  recordSearch,
  searchMentions,
  updateVersion,
} from './queries.ts'
import { replaceMentions } from './replace-mentions.ts'

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
    await updateRendered(tx, message, replaced)
    const changed = { ...message, ...replaced }
    const sender = displayEmail(app.config, { ...message, id: message.sender_id })
    const { rendered_content } = replaced
    for (const audience of await listRerenderAudiences(tx, message))
      emit(tx, messageRerendered(changed, { sender, rendered_content }, audience))
    return true
  })
}
