import { isReady } from '../data/store.ts'
import { newMessage } from '../data/write-dialog.ts'

/** `c` starts a message to a stream and `x` one to people, except in fields and dialogs. */
export function startWriteKeys(): void {
  addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, target } = event
    if ((key !== 'c' && key !== 'x') || ctrlKey || metaKey || altKey || event.defaultPrevented) return
    if (!isReady.peek() || isField(target) || document.querySelector('dialog[open], :popover-open')) return
    event.preventDefault()
    newMessage.value = key === 'c' ? 'stream' : 'private'
  })
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
