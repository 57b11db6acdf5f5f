import type { WindowMessage } from '@oxbow/sdk/windows'
import { refusedAction } from '../client/act.ts'
import { client } from '../client/client.ts'
import { editedMessage } from '../client/messages/editing.ts'
import { dropUnchangedEdit, editOf, noteRefusedEdit, noteSavedEdit } from '../client/messages/edits.ts'
import { applyOptimistically, type PendingEvent } from '../client/pending.ts'
import { ownId } from '../client/store.ts'
import { renderEcho } from '../client/writing/render.ts'
import { readRefusal } from '../text/refusal.ts'
import { isTyping } from './roving-focus.ts'

/**
 * Saves an edited text. Shows it at once; if the server refuses it, the text is kept, and the reason is
 * shown in the editor if this does not interrupt the user.
 */
export async function saveEdit({ id, content: before }: WindowMessage): Promise<void> {
  const edit = editOf(id)
  if (!edit) return
  const content = edit.text.trim()
  const event: PendingEvent = {
    type: 'update_message',
    user_id: ownId.peek(),
    message_id: id,
    message_ids: [id],
    flags: [],
    edit_timestamp: Math.floor(Date.now() / 1000),
    content,
    rendered_content: renderEcho(content),
    orig_rendered_content: before,
  }
  editedMessage.value = undefined
  try {
    await applyOptimistically([event], (options) =>
      client.messages.edit({ message_id: id, content }, options),
    )
    noteSavedEdit(id, edit.text)
    if (editedMessage.peek() !== id) dropUnchangedEdit(id)
  } catch (error) {
    const { reason } = readRefusal(error)
    noteRefusedEdit(id, edit, reason)
    if (canOpenEditor(id)) editedMessage.value = id
    else if (editedMessage.peek() !== id) refusedAction.value = reason
  }
}

/** Whether the message is shown, and the user is not writing: an empty composer has the focus after each edit. */
function canOpenEditor(id: number): boolean {
  const { activeElement } = document
  const isUnused = activeElement instanceof HTMLTextAreaElement && activeElement.value === ''
  const isWriting =
    editedMessage.peek() !== undefined || (activeElement !== null && isTyping(activeElement) && !isUnused)
  return !isWriting && document.querySelector(`.Row[data-id="${id}"]`) !== null
}
