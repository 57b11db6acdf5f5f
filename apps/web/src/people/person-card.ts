import type { UserId } from '@oxbow/contract'
import { signal } from '@preact/signals'
import { closeDialog } from '../client/open-dialogs.ts'

/** The open card of a person. */
export interface OpenCard {
  readonly user_id: UserId
  /** The name or picture beside which the card is placed. */
  readonly anchor: HTMLElement
}

export const openCard = signal<OpenCard | undefined>(undefined)

export function closeCard(): void {
  openCard.value = undefined
}

/**
 * Opens the card of a person on a click on an element with `data-card`. A click that opens a new
 * tab follows the link to the profile instead.
 */
export function startCards(): void {
  document.addEventListener('click', (event) => {
    const { target } = event
    if (!(target instanceof Element) || event.ctrlKey || event.metaKey || event.shiftKey) return
    const named = target.closest<HTMLElement>('[data-card]')
    if (!named) return
    // The card would be unusable outside an open modal dialog, so the link opens the profile.
    if (named.closest('dialog')) {
      closeDialog()
      return
    }
    event.preventDefault()
    showCard(Number(named.dataset.card) as UserId, target.closest<HTMLElement>('.Avatar') ?? named)
  })
}

export function showCard(user_id: UserId, anchor: HTMLElement): void {
  openCard.value = { user_id, anchor }
}
