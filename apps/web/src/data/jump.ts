import { signal } from '@preact/signals'

/** Text of the jump dialog while it is open. */
export const jumpText = signal<string | undefined>(undefined)

export function openJump(): void {
  jumpText.value = ''
}

export function closeJump(): void {
  jumpText.value = undefined
}
