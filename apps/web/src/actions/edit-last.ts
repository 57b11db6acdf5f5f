import { editedMessage } from '../data/editing.ts'
import { ownId } from '../data/store.ts'
import { peekMessage } from '../data/windows.ts'

/** Starts editing the newest message that the user wrote in the current view. */
export function editLastOwn(): void {
  const rows = [...document.querySelectorAll<HTMLElement>('.Row[data-id]')].reverse()
  const own = rows
    .map((row) => peekMessage(Number(row.dataset.id) as never))
    .find((message) => message?.sender_id === ownId.peek())
  if (own) editedMessage.value = own.id
}
