import type { Event } from '@oxbow/contract'
import type { WindowMessage } from '@oxbow/sdk/windows'
import { client } from '../data/client.ts'
import { editedMessage } from '../data/editing.ts'
import { dropUnchangedEdit, editOf, noteRefusedEdit, noteSavedEdit } from '../data/edits.ts'
import { applyOptimistically } from '../data/pending.ts'
import { ownId } from '../data/store.ts'
import { isTyping } from '../messages/roving-focus.ts'
import { readRefusal } from '../text/refusal.ts'
import { renderEcho } from '../text/render.ts'
import { refusedAction } from './act.ts'

/** Returns the Markdown source of a message. */
export async function fetchSource({ id }: WindowMessage): Promise<string> {
  const { raw_content } = await client.messages.getRaw({ message_id: id, apply_markdown: false })
  return raw_content
}

/**
 * Saves an edited text. Shows it at once; if the server refuses it, the text is kept, and the reason is
 * shown in the editor if this does not interrupt the user.
 */
export async function saveEdit({ id, content: before }: WindowMessage): Promise<void> {
  const edit = editOf(id)
  if (!edit) return
  const content = edit.text.trim()
  const event = {
    type: 'update_message',
    user_id: ownId.peek(),
    message_id: id,
    message_ids: [id],
    flags: [],
    edit_timestamp: Math.floor(Date.now() / 1000),
    content,
    rendered_content: renderEcho(content),
    orig_rendered_content: before,
  } as unknown as Event
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

/** Whether the message is shown, and the user is not writing. */
function canOpenEditor(id: number): boolean {
  const { activeElement } = document
  const isWriting = editedMessage.peek() !== undefined || (activeElement !== null && isTyping(activeElement))
  return !isWriting && document.querySelector(`.Row[data-id="${id}"]`) !== null
}
