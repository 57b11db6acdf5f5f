import { ActorChanged } from '../actor.ts'
import { retry } from '../retry.ts'

/** Only a deliberate attack changes the role of an actor this often during one request. */
const maxReruns = 4
const hasActorChanged = (error: unknown): boolean => error instanceof ActorChanged

/**
 * Handles the error of an action. If the action failed because the role of its actor changed meanwhile, calls
 * `rerun`, which loads the account again, authorizes the request and runs the action again. Throws any other
 * error.
 */
export function rerunIfActorChanged<Result>(error: unknown, rerun: () => Promise<Result>): Promise<Result> {
  if (!hasActorChanged(error)) throw error
  return retry(rerun, { maxAttempts: maxReruns, shouldRetry: hasActorChanged })
}
