import type { MessageId } from '@oxbow/contract'
import { editedMessage } from '../client/messages/editing.ts'
import { peekMessage } from '../client/messages/windows.ts'
import { ownId } from '../client/store.ts'

/** Starts editing the newest message that the user wrote in the current view. */
export function editLastOwn(): void {
  const rows = [...document.querySelectorAll<HTMLElement>('.Row[data-id]')].reverse()
  const own = rows
    .map((row) => peekMessage(Number(row.dataset.id) as MessageId))
    .find((message) => message?.sender_id === ownId.peek())
  if (own) editedMessage.value = own.id
}
