import { effect } from '@preact/signals'
import { writeEntry } from '../device/device-entries.ts'
import { colorScheme, denseMode, highContrast, usesFullWidth } from '../store.ts'

/** Values of `color_scheme`. */
const themes: Readonly<Record<number, 'light' | 'dark'>> = { 2: 'dark', 3: 'light' }

/**
 * Applies the account's display settings to the document, and stores them on this device, so that
 * `public/theme.js` can set them before the first paint of the next start.
 */
export function startDisplay(): void {
  const { dataset } = document.documentElement
  const systemContrast = matchMedia('(prefers-contrast: more)')
  effect(() => {
    if (colorScheme.value === undefined) return
    const theme = themes[colorScheme.value]
    writeEntry('theme', theme)
    if (theme) dataset.theme = theme
    else delete dataset.theme
  })
  const applyContrast = () => {
    if (highContrast.value === undefined) return
    writeEntry('contrast', highContrast.value ? 'more' : undefined)
    if (highContrast.value || systemContrast.matches) dataset.contrast = 'more'
    else delete dataset.contrast
  }
  effect(applyContrast)
  systemContrast.addEventListener('change', applyContrast)
  effect(() => {
    if (denseMode.value) dataset.density = 'compact'
    else delete dataset.density
  })
  effect(() => {
    if (usesFullWidth.value) dataset.width = 'full'
    else delete dataset.width
  })
}
