import { signal } from '@preact/signals'
import { closeDialog } from './dialogs.ts'

/** The open card of a person. */
export interface OpenCard {
  readonly user_id: number
  /** The name or picture beside which the card is placed. */
  readonly anchor: HTMLElement
}

export const openCard = signal<OpenCard | undefined>(undefined)

export function closeCard(): void {
  openCard.value = undefined
}

/**
 * Opens the card of a person on a click on an element with `data-card`. Clicks that ask for a new
 * tab follow the link to the profile.
 */
export function startCards(): void {
  document.addEventListener('click', (event) => {
    const { target } = event
    if (!(target instanceof Element) || event.ctrlKey || event.metaKey || event.shiftKey) return
    const named = target.closest<HTMLElement>('[data-card]')
    if (!named) return
    // Nothing outside a modal dialog can be used while it is open: the link leads to the profile.
    if (named.closest('dialog')) {
      closeDialog()
      return
    }
    event.preventDefault()
    showCard(Number(named.dataset.card), target.closest<HTMLElement>('.Avatar') ?? named)
  })
}

export function showCard(user_id: number, anchor: HTMLElement): void {
  openCard.value = { user_id, anchor }
}
