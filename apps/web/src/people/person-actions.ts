import { focusComposer } from '../composer/focus.ts'
import { mention } from '../composer/insertions.ts'
import { changeDraft, draftOf } from '../data/drafts.ts'
import { setPersonMuted } from '../data/muted-people.ts'
import { nameOf } from '../data/names.ts'
import { isNameShared } from '../data/people-search.ts'
import type { Target } from '../data/target.ts'
import { privateRoute, type Route } from '../router/route.ts'
import { t } from '../text/t.ts'
import { offerUndo } from '../ui/undo.ts'

/** Returns the route of the private conversation with a person. */
export const routeToWrite = (user_id: number): Route => privateRoute([user_id], nameOf(user_id))

/** Returns the route of all messages that a person sent. */
export const routeOfMessages = (user_id: number): Route => ({
  view: 'narrow',
  terms: [{ operator: 'sender', operand: { user_ids: [user_id], label: nameOf(user_id) } }],
  at: {},
})

/** Adds a mention of a person to the draft of the composer that is open, or about to open, for this target. */
export function mentionPerson(user_id: number, target: Target): void {
  const name = nameOf(user_id)
  const { content } = draftOf(target)
  const space = content === '' || /\s$/.test(content) ? '' : ' '
  const text = mention(name, { id: isNameShared(user_id, name) ? user_id : undefined, isSilent: false })
  changeDraft(target, { content: `${content}${space}${text}` })
  requestAnimationFrame(focusComposer)
}

/** Mutes or unmutes a person on this device. */
export function togglePersonMute(user_id: number, isMuted: boolean): void {
  setPersonMuted(user_id, isMuted)
  if (isMuted)
    offerUndo(t('person.muted_undo', { name: nameOf(user_id) }), () => setPersonMuted(user_id, false))
}
