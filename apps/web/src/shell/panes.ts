import { signal } from '@preact/signals'

/** Whether the nav lies over the view, in windows that are too narrow for both. */
export const isNavOpen = signal(false)

/** Whether the window is so narrow that it shows one pane at a time; as the style sheet of the panes says. */
export const isPhone = signal(false)

/** Follows the width of the window; Esc closes the nav that lies over the view. */
export function startPanes(): void {
  const narrow = matchMedia('(width < 40rem)')
  const note = () => {
    isPhone.value = narrow.matches
  }
  narrow.addEventListener('change', note)
  note()
  addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') isNavOpen.value = false
  })
}

/** Whether the present view has details for the side pane; the shell sets it. */
export const hasSide = signal(false)

/** Whether the side pane is shown. */
export const isSideOpen = signal(false)
