/** `problem`: people cannot use the server, or data is in danger. `warning`: it works, but not as it should. */
export type FindingState = 'ok' | 'warning' | 'problem'

/** The outcome of one check of `oxbow doctor`. */
export interface Finding {
  check: string
  state: FindingState
  found: string
  /** Advice for the operator; undefined if nothing has to be done. */
  remedy?: string
}

/** A finding of a check that names itself when it is run. */
export type Outcome = Omit<Finding, 'check'>

export const ok = (found: string): Outcome => ({ state: 'ok', found })

export const warning = (found: string, remedy: string): Outcome => ({ state: 'warning', found, remedy })

export const problem = (found: string, remedy: string): Outcome => ({ state: 'problem', found, remedy })

/** Makes a finding of a message whose first line says what is wrong and whose others say what to do. */
export function fromMessage(state: 'warning' | 'problem', message: string): Outcome {
  const [found = '', ...others] = message.split('\n')
  return { state, found, ...(others.length > 0 && { remedy: others.join(' ') }) }
}
