import type { App } from './app.ts'

const finishing = new WeakMap<App, (() => Promise<void>)[]>()

/**
 * Registers work that a stopping node does after its last request and before it closes the
 * database.
 */
export function beforeClose(app: App, finish: () => Promise<void>): void {
  const others = finishing.get(app) ?? []
  finishing.set(app, [...others, finish])
}

/** Runs all registered work; logs failures and never rejects. */
export async function finishBeforeClose(app: App): Promise<void> {
  for (const finish of finishing.get(app) ?? []) {
    await finish().catch((err) =>
      app.log.warn({ err }, 'work that was due before the stop of this node failed'),
    )
  }
}
