/** `problem`: people cannot use the server, or data is in danger. `warning`: it works, but not as it should. */
export type FindingState = 'ok' | 'warning' | 'problem'

/** The outcome of one check of `oxbow doctor`. */
export interface Finding {
  check: string
  state: FindingState
  found: string
  /** Advice for the operator; undefined if there is nothing to do. */
  remedy?: string
}

/** The result of a check function, without the name of the check, which the caller adds. */
export type Outcome = Omit<Finding, 'check'>

export const ok = (found: string): Outcome => ({ state: 'ok', found })

export const warning = (found: string, remedy: string): Outcome => ({ state: 'warning', found, remedy })

export const problem = (found: string, remedy: string): Outcome => ({ state: 'problem', found, remedy })

/**
 * Converts a message to a finding: its first line describes the problem, and the other lines are
 * the advice.
 */
export function toFinding(state: 'warning' | 'problem', message: string): Outcome {
  const [found = '', ...others] = message.split('\n')
  return { state, found, ...(others.length > 0 && { remedy: others.join(' ') }) }
}
