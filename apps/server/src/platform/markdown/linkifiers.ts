import { type CompiledLinkifier, compileLinkifier } from '@oxbow/markdown'

/** A linkifier as plain data, so that it can be handed to a thread. */
export interface LinkifierDefinition {
  pattern: string
  urlFormat: string
}

type Definitions = readonly LinkifierDefinition[]

const byList = new WeakMap<Definitions, readonly CompiledLinkifier[]>()
const byText = new Map<string, readonly CompiledLinkifier[]>()
const most = 200

/** The same list for the same definitions, because the renderer remembers lists; a thread gets a copy each time. */
export function compileLinkifiers(definitions: Definitions): readonly CompiledLinkifier[] {
  const known = byList.get(definitions)
  if (known) return known
  const text = JSON.stringify(definitions)
  const compiled = byText.get(text) ?? definitions.flatMap(compileKept)
  if (byText.size >= most) byText.clear()
  byText.set(text, compiled)
  byList.set(definitions, compiled)
  return compiled
}

/** What was accepted by a release that knew more of patterns is passed over. */
function compileKept({ pattern, urlFormat }: LinkifierDefinition): CompiledLinkifier[] {
  const result = compileLinkifier(pattern, urlFormat)
  return 'linkifier' in result ? [result.linkifier] : []
}
