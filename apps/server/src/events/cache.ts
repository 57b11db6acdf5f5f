import type { App } from '../platform/app.ts'
import { CoherentCache } from './coherent-cache.ts'

/** A cache that every node has one of, declared where it is used. */
export function coherentCache<Value>(): (app: App) => CoherentCache<Value> {
  const caches = new WeakMap<App, CoherentCache<Value>>()
  return (app) => {
    const cache = caches.get(app) ?? new CoherentCache<Value>(app.events.log)
    caches.set(app, cache)
    return cache
  }
}
