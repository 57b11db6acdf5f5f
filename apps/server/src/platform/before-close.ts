import type { App } from './app.ts'

const finishing = new WeakMap<App, (() => Promise<void>)[]>()

/** Something that a node still does after its last request and before it lets go of the database. */
export function beforeClose(app: App, finish: () => Promise<void>): void {
  const others = finishing.get(app) ?? []
  finishing.set(app, [...others, finish])
}

export async function finishBeforeClose(app: App): Promise<void> {
  for (const finish of finishing.get(app) ?? []) {
    await finish().catch((err) => app.log.warn({ err }, 'something was left undone when this node stopped'))
  }
}
