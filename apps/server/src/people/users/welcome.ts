import type { Tx } from '../../platform/database/database.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { notice } from '../../streams/notice-text.ts'
import { enqueueNotices } from '../../streams/notices.ts'

const content = notice`Hello, and welcome to Oxbow!

I am the Welcome Bot, and this is a private message: only you can read it. A few things to begin with:

* Messages go to a **stream**, which is for a group of people, and there to a **topic**, which is what the conversation is about. A reply in the same topic keeps the conversation together; for something new, choose a new topic.
* \`@**name**\` in a message notifies a person.
* Your settings have your picture, your time zone, and what you are notified of.

You can try things out in this conversation: only you see it. I do not answer. If you need help, ask an administrator.`

/** Enqueues the private message from the welcome bot to a new person. */
export async function enqueueWelcome(tx: Tx, user: UserRow): Promise<void> {
  const welcome = { users: [user.id], content }
  await enqueueNotices(tx, user.organization_id, user, [welcome], { isNews: true, from: 'welcome' })
}
