import { emitAbout } from '../../identity/accounts/emit-about.ts'
import { apiKeyColumns, makeApiKey } from '../../identity/api-keys.ts'
import { replaceAvatar } from '../../people/users/avatar/change-avatar.ts'
import { deactivate } from '../../people/users/deactivate-user.ts'
import { emailChanged, profileValueChanged, timezoneChanged, userRenamed } from '../../people/users/events.ts'
import { findShownUser, updateUserRow } from '../../people/users/queries.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { enqueue, enqueueLater } from '../../platform/jobs/jobs.ts'
import type { Notices } from '../../streams/notices.ts'
import { eraseUserJob, replaceLateMentionsJob } from './continue-erasure.ts'
import { erasedAddress, erasedName } from './erased-account.ts'
import {
  deleteOwnRows,
  listFilledFields,
  listWaitingNotices,
  markErased,
  type PersonKey,
  replaceInSavedResponses,
  updateNotices,
  upsertErasure,
} from './queries.ts'
import { replaceInMarkdown } from './replace-mentions.ts'

/** No message is still being written this long after its text was rendered. */
const lateSearchSeconds = 300

/**
 * Deactivates a person, replaces their name, address, picture and API key, and deletes the rows
 * that belong only to them. Enqueues a job for the rest, which may take long. The caller has locked
 * the user's row and holds the role lock exclusively.
 */
export async function beginErasure(
  app: App,
  tx: Tx,
  user: UserRow,
  { deletesMessages }: { deletesMessages: boolean },
): Promise<void> {
  const key: PersonKey = { organization_id: user.organization_id, user_id: user.id }
  if (!user.erased_at) await anonymize(app, tx, user, key)
  await upsertErasure(tx, { ...key, deletes_messages: deletesMessages })
  await enqueue(tx, eraseUserJob, key)
  await enqueueLater(tx, replaceLateMentionsJob, key, lateSearchSeconds)
}

async function anonymize(app: App, tx: Tx, user: UserRow, key: PersonKey): Promise<void> {
  const { organization_id, id } = user
  const fields = await listFilledFields(tx, key)
  await emitAbout(
    tx,
    user,
    fields.map((id) => profileValueChanged(user, { id, value: null })),
  )
  await replaceAvatar(app, tx, user, undefined)
  const changes = {
    full_name: erasedName,
    delivery_email: erasedAddress(id),
    password_hash: null,
    timezone: '',
    ...apiKeyColumns(app, user, makeApiKey()),
  }
  await updateUserRow(tx, organization_id, id, changes)
  const shown = await findShownUser(tx, user, false)
  await emitAbout(tx, user, [
    userRenamed(user, erasedName),
    timezoneChanged(user, ''),
    ...(shown ? emailChanged(app, shown) : []),
  ])
  if (user.is_active) await deactivate(tx, { ...user, ...changes })
  await deleteOwnRows(tx, key, user.delivery_email)
  await replaceInSavedResponses(tx, organization_id, user, changes)
  await replaceInWaitingNotices(tx, key)
  await markErased(tx, key)
}

/** Replaces the name of a person in notices that wait to be sent, for example because jobs are held. */
async function replaceInWaitingNotices(tx: Tx, key: PersonKey): Promise<void> {
  for (const { id, payload } of await listWaitingNotices(tx, key))
    await updateNotices(tx, id, replaceInNotices(payload, key.user_id))
}

function replaceInNotices(call: Notices, user_id: number): Notices {
  const { notices, references } = call
  const people = references?.people ?? []
  const names = new Set(people.filter(({ id }) => id === user_id).map(({ full_name }) => full_name))
  const anonymous = people.map((person) =>
    person.id === user_id ? { ...person, full_name: erasedName } : person,
  )
  return {
    ...call,
    notices: notices.map((notice) => ({
      ...notice,
      content: replaceInMarkdown(notice.content, names, user_id),
    })),
    ...(references && { references: { ...references, people: anonymous } }),
  }
}
