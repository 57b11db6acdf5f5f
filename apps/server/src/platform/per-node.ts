import { Gauge } from 'prom-client'
import type { App } from './app.ts'
import type { Log } from './observe/log.ts'
import type { Metrics } from './observe/metrics.ts'

declare module './app.ts' {
  interface App {
    /** State that features keep in the memory of this node. */
    readonly state: NodeState
  }
}

/** One kind of state that a node keeps in memory. No other node may depend on it. */
export interface NodeStateSlot<Value> {
  /** Unique name of the state, for metrics. */
  readonly name: string
  /** Number of entries, for metrics; 1 by default. */
  countEntries?(value: Value): number
  /** Finishes pending work when the node stops, before the database is closed. */
  close?(value: Value): Promise<void>
}

/** Declares state of a node at module level. The returned function returns the value of a node. */
export function perNode<Value>(
  slot: NodeStateSlot<Value> & { create(app: App): Value },
): (app: App) => Value {
  return (app) => app.state.get(slot, () => slot.create(app))
}

/**
 * All state that features of a node keep in memory. A feature declares a slot with `perNode`; this class
 * lists, measures and closes all slots together.
 */
export class NodeState {
  readonly #values = new Map<NodeStateSlot<unknown>, unknown>()

  /** Returns the node's value, creating it on first use. */
  get<Value>(slot: NodeStateSlot<Value>, create: () => Value): Value {
    const existing = this.#values.get(slot as NodeStateSlot<unknown>)
    if (existing !== undefined) return existing as Value
    const value = create()
    this.#values.set(slot as NodeStateSlot<unknown>, value)
    return value
  }

  list(): { name: string; entries: number }[] {
    return [...this.#values].map(([{ name, countEntries }, value]) => ({
      name,
      entries: countEntries?.(value) ?? 1,
    }))
  }

  /** Closes all values; logs failures and never rejects. */
  async close(log: Log): Promise<void> {
    for (const [{ name, close }, value] of this.#values) {
      await close?.(value).catch((err: unknown) =>
        log.warn({ err, state: name }, 'work that was due before the stop of this node failed'),
      )
    }
  }
}

/** Publishes the number of entries for each kind of state. */
export function measureNodeState(state: NodeState, { registry }: Metrics): void {
  new Gauge({
    name: 'oxbow_node_state_entries',
    help: 'Entries that this node keeps in memory, by kind of state.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const { name, entries } of state.list()) this.set({ state: name }, entries)
    },
  })
}
