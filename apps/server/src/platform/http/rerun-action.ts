import { ActorChanged } from '../actor.ts'
import { retry } from '../retry.ts'

/** The role of an actor changes this often during one request only under a deliberate attack. */
const maxReruns = 4
const hasActorChanged = (error: unknown): boolean => error instanceof ActorChanged

/**
 * Waits for an action. If it failed because the role of its actor changed meanwhile, calls `rerun`,
 * which authenticates the request with a fresh account and runs the action again.
 */
export function rerunIfActorChanged<Result>(
  running: Promise<Result>,
  rerun: () => Promise<Result>,
): Promise<Result> {
  // Without `await`, because an async frame for each of ten thousand waiting polls would take much
  // memory.
  return running.catch((error: unknown) => {
    if (!hasActorChanged(error)) throw error
    return retry(rerun, { maxAttempts: maxReruns, shouldRetry: hasActorChanged })
  })
}
