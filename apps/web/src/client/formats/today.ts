import { computed, effect, signal } from '@preact/signals'
import { addDays, dayOf, startOfDay } from './local-time.ts'

/** Timers stand still while a computer sleeps, so none waits for longer than this. */
const maxWaitMs = 60_000

const checks = signal(0)
const check = (): void => {
  checks.value++
}

/** The current day in the account's time zone, as 2026-11-16. */
export const today = computed(() => {
  checks.value
  return dayOf(Date.now())
})

/** Changes `today` at midnight, or as soon as the device is used again. */
export function startFollowingDay(): void {
  document.addEventListener('visibilitychange', check)
  effect(() => {
    checks.value
    const waitMs = startOfDay(addDays(today.value, 1)) - Date.now()
    const timer = setTimeout(check, Math.min(waitMs, maxWaitMs))
    return () => clearTimeout(timer)
  })
}
