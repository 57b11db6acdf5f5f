import { ActorChanged } from '../actor.ts'
import { retry } from '../retry.ts'

/** Only a deliberate attack changes the role of an actor this often during one request. */
const maxReruns = 4
const hasActorChanged = (error: unknown): boolean => error instanceof ActorChanged

/**
 * Waits for an action. If it failed because the role of its actor changed meanwhile, calls `rerun`, which
 * loads the account again, authorizes the request and runs the action again.
 */
export function rerunIfActorChanged<Result>(
  running: Promise<Result>,
  rerun: () => Promise<Result>,
): Promise<Result> {
  // `await` is avoided, because an async frame for each of ten thousand waiting polls would take much memory.
  return running.catch((error: unknown) => {
    if (!hasActorChanged(error)) throw error
    return retry(rerun, { maxAttempts: maxReruns, shouldRetry: hasActorChanged })
  })
}
