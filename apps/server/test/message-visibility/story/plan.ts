import type { Client } from '@oxbow/sdk'
import type { NodeName } from '@oxbow/testkit'
import type { Model, Name } from '../model/model.ts'
import type { HeldSend } from '../server/held-send.ts'
import type { Transaction } from '../server/log.ts'
import type { Real } from '../server/real.ts'

/** Something that someone tries; the server may refuse it. */
export interface Plan {
  kind: string
  label: string
  by: Name
  at: NodeName
  call(client: Client): Promise<unknown>
  /** Of a message that is sent and held open while everything else goes on. */
  hold?(real: Real): HeldSend
  /** What it does to messages, where that is not told by what it does to people and streams. */
  effect?: Effect
  /** Holds what was answered against everything that was so in its round, from the beginning to the end. */
  check?(answer: unknown, states: readonly Model[]): void | Promise<void>
}

export interface Effect {
  /** Whether this is what the log says of it. */
  isIn(transaction: Transaction, answer: unknown): boolean
  /** Whether whoever does it may, as things are. */
  isPossible(model: Model): boolean
  /** Nothing that it depends on is held, so what was so a moment before may have decided. */
  isLoose?: true
  apply(model: Model, transaction: Transaction, answer: unknown): void
}

/** What a plan is made of. Indices count from the newest, which is where things happen. */
export interface Scene {
  model: Model
  real: Real
  /** A number that nothing else in the story has. */
  serial: number
  /** Who is deactivated or comes back in this round: whether a text still finds them is anyone's guess. */
  unsettled: ReadonlySet<Name>
}
