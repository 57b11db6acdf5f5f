import type { Client } from '@oxbow/sdk'
import type { NodeName } from '@oxbow/testkit'
import type { Model, Name } from '../model/model.ts'
import type { HeldSend } from '../server/held-send.ts'
import type { Transaction } from '../server/log.ts'
import type { TestedServer } from '../server/tested-server.ts'

/** An action that a user tries; the server may refuse it. */
export interface Plan {
  kind: string
  label: string
  by: Name
  at: NodeName
  call(client: Client): Promise<unknown>
  /** Set for a message whose commit is delayed while all other actions run. */
  hold?(server: TestedServer): HeldSend
  /** The effect on messages. Undefined if it follows from the effect on users and streams. */
  effect?: Effect | undefined
  /** Compares the response with all states of its round, from the first to the last. */
  check?(response: unknown, states: readonly Model[]): void | Promise<void>
}

export interface Effect {
  /** Returns whether this action wrote the transaction. */
  isIn(transaction: Transaction, response: unknown): boolean
  /** Returns whether the user may perform the action in this state. */
  isPossible(model: Model): boolean
  /**
   * Set if the action locks nothing that it depends on, so that the server may have decided by a
   * slightly older state.
   */
  mayBeLate?: true
  apply(model: Model, transaction: Transaction, response: unknown): void
}

/**
 * Input for planning an action. Indices count from the newest object, because most actions concern
 * new objects.
 */
export interface Scene {
  model: Model
  server: TestedServer
  /** A number that is unique in the story. */
  serial: number
  /**
   * Users who are deactivated or reactivated in this round, so that mentions of them may or may not
   * resolve.
   */
  unsettled: ReadonlySet<Name>
}
