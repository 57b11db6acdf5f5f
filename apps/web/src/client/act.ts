import { signal } from '@preact/signals'
import { readRefusal } from '../text/refusal.ts'

/** The reason why the last action was refused, for the component that shows it. */
export const refusedAction = signal<string | undefined>(undefined)

/**
 * Awaits a call that the user triggered. If it is refused, shows the reason. Returns whether it
 * succeeded.
 */
export async function awaitOrShowRefusal(call: Promise<unknown>): Promise<boolean> {
  try {
    await call
    return true
  } catch (error) {
    refusedAction.value = readRefusal(error).reason
    return false
  }
}
