import type { App } from './app.ts'
import type { NodeStateSlot } from './node-state.ts'

/** Declares state of a node at module level. The returned function returns the value of a node. */
export function perNode<Value>(
  slot: NodeStateSlot<Value> & { create(app: App): Value },
): (app: App) => Value {
  return (app) => app.state.get(slot, () => slot.create(app))
}
