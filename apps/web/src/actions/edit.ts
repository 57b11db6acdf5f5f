import type { Event } from '@oxbow/contract'
import type { WindowMessage } from '@oxbow/sdk/windows'
import { client } from '../data/client.ts'
import { editedMessage } from '../data/editing.ts'
import { dropEdit, editOf, noteRefusedEdit } from '../data/edits.ts'
import { applyOptimistically } from '../data/pending.ts'
import { ownId } from '../data/store.ts'
import { readRefusal } from '../text/refusal.ts'
import { renderEcho } from '../text/render.ts'

/** Returns the Markdown source of a message. */
export async function fetchSource({ id }: WindowMessage): Promise<string> {
  const { raw_content } = await client.messages.getRaw({ message_id: id, apply_markdown: false })
  return raw_content
}

/** Saves an edited text. Shows it at once; if the server refuses it, reopens the editor with the reason. */
export async function saveEdit({ id, content: before }: WindowMessage): Promise<void> {
  const { text } = editOf(id) ?? {}
  if (text === undefined) return
  const content = text.trim()
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
    await applyOptimistically([event], () => client.messages.edit({ message_id: id, content }))
    dropEdit(id)
  } catch (error) {
    noteRefusedEdit(id, readRefusal(error).reason)
    editedMessage.value = id
  }
}
