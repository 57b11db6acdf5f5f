import { signal } from '@preact/signals'
import { readRefusal } from '../text/refusal.ts'

/** The sentence about the last action that was refused, for the place that shows it. */
export const refusedAction = signal<string | undefined>(undefined)

/** Waits for a call that the user asked for. If it is refused, the reason is shown; returns whether it succeeded. */
export async function actOn(call: Promise<unknown>): Promise<boolean> {
  try {
    await call
    return true
  } catch (error) {
    refusedAction.value = readRefusal(error).reason
    return false
  }
}
