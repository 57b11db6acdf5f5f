/** The last focused element of each region. */
const lastFocused = new WeakMap<Element, HTMLElement>()

/**
 * Ctrl F6 focuses the next region of the page, Ctrl Shift F6 the previous one, at its last focused
 * element. Regions are marked with `data-region`, and are visited in document order.
 */
export function startRegionKeys(): void {
  addEventListener('focusin', ({ target }) => {
    const region = target instanceof HTMLElement ? target.closest('[data-region]') : undefined
    if (region) lastFocused.set(region, target as HTMLElement)
  })
  addEventListener('keydown', (event) => {
    if (event.key !== 'F6' || !(event.ctrlKey || isInstalled())) return
    event.preventDefault()
    focusNextRegion(event.shiftKey ? -1 : 1)
  })
}

/** An installed app can use F6 alone. */
const isInstalled = (): boolean => matchMedia('(display-mode: standalone)').matches

function focusNextRegion(step: 1 | -1): void {
  const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')].filter(
    (region) => region.checkVisibility() && !region.closest('[inert]'),
  )
  const current = regions.findIndex((region) => region.contains(document.activeElement))
  const start = current === -1 && step === -1 ? 0 : current
  const next = regions[(start + step + regions.length) % regions.length]
  if (next) focusInside(next)
}

/** Focuses the last focused element, or else the first focusable one, or else the region itself. */
function focusInside(region: HTMLElement): void {
  const last = lastFocused.get(region)
  const visible = [...region.querySelectorAll<HTMLElement>(focusable)].filter((element) =>
    element.checkVisibility(),
  )
  const target = last?.checkVisibility() && region.contains(last) ? last : visible[0]
  if (!target) region.tabIndex = -1
  ;(target ?? region).focus()
}

const focusable = 'a[href], button:enabled, input:enabled, textarea:enabled, select:enabled, [tabindex="0"]'
