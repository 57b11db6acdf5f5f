import type { Client } from '@oxbow/sdk'
import type { NodeName } from '@oxbow/testkit'
import type { Model, Name } from '../model/model.ts'
import type { HeldSend } from '../server/held-send.ts'
import type { Transaction } from '../server/log.ts'
import type { Real } from '../server/real.ts'

/** An action that a user tries; the server may refuse it. */
export interface Plan {
  kind: string
  label: string
  by: Name
  at: NodeName
  call(client: Client): Promise<unknown>
  /** Set for a message that is sent but not committed while all other actions run. */
  hold?(real: Real): HeldSend
  /** The effect on messages, unless it follows from the effect on users and streams. */
  effect?: Effect | undefined
  /** Compares the response with all states of its round, first to last. */
  check?(response: unknown, states: readonly Model[]): void | Promise<void>
}

export interface Effect {
  /** Returns whether the transaction in the log is this action. */
  isIn(transaction: Transaction, response: unknown): boolean
  /** Returns whether the user may do it in this state. */
  isPossible(model: Model): boolean
  /**
   * Set if the action holds no lock on what it depends on, so that a slightly older state may have
   * decided.
   */
  mayBeLate?: true
  apply(model: Model, transaction: Transaction, response: unknown): void
}

/** Input for planning an action. Indices count from the newest object, where most happens. */
export interface Scene {
  model: Model
  real: Real
  /** A number that is unique in the story. */
  serial: number
  /**
   * Users who are deactivated or reactivated in this round, so that mentions of them may or may not
   * resolve.
   */
  unsettled: ReadonlySet<Name>
}
