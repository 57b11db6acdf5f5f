import type { Tx } from '../platform/database/database.ts'
import type { UserRow } from '../platform/database/tables.ts'
import { enqueueNotices } from '../streams/notices.ts'

const content = `Hello, and welcome to Oxbow!

I am the Welcome Bot, and this is a private message: only you can read it. A few things to begin with:

* Messages go to a **stream**, which is for a group of people, and there to a **topic**, which is what the conversation is about. A reply in the same topic keeps the conversation together; for something new, choose a new topic.
* \`@**name**\` in a message notifies a person.
* Your settings have your picture, your time zone, and what you are notified of.

Try it: reply to this message. Nobody else will see it.`

/** Enqueues the private message from the welcome bot to a new person. */
export async function enqueueWelcome(tx: Tx, user: UserRow): Promise<void> {
  const notice = { users: [user.id], content }
  await enqueueNotices(tx, user.organization_id, user, [notice], { isNews: true, from: 'welcome' })
}
