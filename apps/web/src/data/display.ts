import { effect } from '@preact/signals'
import { colorScheme, denseMode, highContrast } from './store.ts'

/** Values of `color_scheme`. */
const themes: Readonly<Record<number, 'light' | 'dark'>> = { 2: 'dark', 3: 'light' }

/**
 * Applies the account's look to the document, and remembers it on this device, so that
 * `public/theme.js` can set it before the first paint of the next start.
 */
export function startDisplay(): void {
  const { dataset } = document.documentElement
  const systemContrast = matchMedia('(prefers-contrast: more)')
  effect(() => {
    if (colorScheme.value === undefined) return
    const theme = themes[colorScheme.value]
    remember('theme', theme)
    if (theme) dataset.theme = theme
    else delete dataset.theme
  })
  const applyContrast = () => {
    if (highContrast.value === undefined) return
    remember('contrast', highContrast.value ? 'more' : undefined)
    if (highContrast.value || systemContrast.matches) dataset.contrast = 'more'
    else delete dataset.contrast
  }
  effect(applyContrast)
  systemContrast.addEventListener('change', applyContrast)
  effect(() => {
    if (denseMode.value) dataset.density = 'compact'
    else delete dataset.density
  })
}

/** Writes an entry of this device; without storage the client works the same, but forgets. */
function remember(name: 'theme' | 'contrast', value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(`oxbow.${name}`)
    else localStorage.setItem(`oxbow.${name}`, value)
  } catch {
    // Storage is switched off in this browser.
  }
}
