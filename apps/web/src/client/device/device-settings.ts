import { signal } from '@preact/signals'
import { readEntry, writeEntry } from './device-entries.ts'

/** Text sizes that can be chosen, in pixels; 16 is the browser's default. */
export const textSizes = [14, 16, 18, 20, 22] as const
export type TextSize = (typeof textSizes)[number]

/** Views that the client can start with. */
export const homeViews = ['inbox', 'all'] as const
export type HomeView = (typeof homeViews)[number]

const usualSize = 16

/** Text size on this device, in pixels. */
export const textSize = signal<TextSize>(
  textSizes.find((size) => size === Number(readEntry('text-size'))) ?? usualSize,
)

/** The view that the client shows on this device when it is opened without a link. */
export const homeView = signal<HomeView>(homeViews.find((view) => view === readEntry('home')) ?? 'inbox')

/** Whether single letters and signs, without Ctrl or Alt, are shortcuts on this device. */
export const singleKeys = signal(readEntry('single-keys') !== 'off')

export function changeSingleKeys(isOn: boolean): void {
  singleKeys.value = isOn
  writeEntry('single-keys', isOn ? undefined : 'off')
}

/** Whether the user dismissed the first steps of a new organization on this device. */
export const hidesFirstRun = signal(readEntry('first-run') === 'hidden')

export function hideFirstRun(): void {
  hidesFirstRun.value = true
  writeEntry('first-run', 'hidden')
}

export function changeTextSize(size: TextSize): void {
  textSize.value = size
  writeEntry('text-size', size === usualSize ? undefined : String(size))
  document.documentElement.style.fontSize = size === usualSize ? '' : `${size / 0.16}%`
}

export function changeHomeView(view: HomeView): void {
  homeView.value = view
  writeEntry('home', view === 'inbox' ? undefined : view)
}
