import { type CompiledLinkifier, compileLinkifier } from '@oxbow/markdown'
import { BoundedCache } from '../bounded-cache.ts'

/** A linkifier as plain data, so that it can be sent to a worker thread. */
export interface LinkifierDefinition {
  pattern: string
  urlFormat: string
}

type Definitions = readonly LinkifierDefinition[]

const byList = new WeakMap<Definitions, readonly CompiledLinkifier[]>()
const byText = new BoundedCache<string, readonly CompiledLinkifier[]>(200)

/** Returns the same compiled list for equal definitions, because the renderer caches its results by list. */
export function compileLinkifiers(definitions: Definitions): readonly CompiledLinkifier[] {
  const cached = byList.get(definitions)
  if (cached) return cached
  const text = JSON.stringify(definitions)
  const compiled = byText.getOrMake(text, () => definitions.flatMap(compileStored))
  byList.set(definitions, compiled)
  return compiled
}

/** Compiles a stored linkifier. Skips a pattern that a newer release accepted and this one cannot compile. */
function compileStored({ pattern, urlFormat }: LinkifierDefinition): CompiledLinkifier[] {
  const result = compileLinkifier(pattern, urlFormat)
  return 'linkifier' in result ? [result.linkifier] : []
}
