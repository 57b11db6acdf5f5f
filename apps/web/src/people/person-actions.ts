import type { UserId } from '@oxbow/contract'
import type { Target } from '../client/conversations/target.ts'
import { setPersonMuted } from '../client/people/muted-people.ts'
import { nameOf } from '../client/people/names.ts'
import { isNameShared } from '../client/people/people-search.ts'
import { privateRoute, type Route } from '../client/route/route.ts'
import { offerUndo } from '../client/undo.ts'
import { changeDraft, draftOf } from '../client/writing/drafts.ts'
import { focusComposer } from '../composer/focus.ts'
import { mention } from '../composer/insertions.ts'
import { t } from '../text/t.ts'

/** Returns the route of the private conversation with a person. */
export const routeToWrite = (user_id: UserId): Route => privateRoute([user_id], nameOf(user_id))

/** Returns the route of all messages that a person sent. */
export const routeOfMessages = (user_id: UserId): Route => ({
  view: 'narrow',
  terms: [{ operator: 'sender', operand: { user_ids: [user_id], label: nameOf(user_id) } }],
  at: {},
})

/** Adds a mention of a person to the draft of the composer that is open, or about to open, for this target. */
export function mentionPerson(user_id: UserId, target: Target): void {
  const name = nameOf(user_id)
  const { content } = draftOf(target)
  const space = content === '' || /\s$/.test(content) ? '' : ' '
  const text = mention(name, { id: isNameShared(user_id, name) ? user_id : undefined, isSilent: false })
  changeDraft(target, { content: `${content}${space}${text}` })
  requestAnimationFrame(focusComposer)
}

/** Mutes or unmutes a person, and offers to undo muting. */
export async function togglePersonMute(user_id: UserId, isMuted: boolean): Promise<void> {
  if ((await setPersonMuted(user_id, isMuted)) && isMuted)
    offerUndo(t('person.muted_undo', { name: nameOf(user_id) }), () => void setPersonMuted(user_id, false))
}
