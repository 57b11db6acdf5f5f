import type { CompiledLinkifier } from './compile.ts'
import type { LinkifierMatch } from './match.ts'

export function expandUrl({ urlFormat }: CompiledLinkifier, { groups }: LinkifierMatch): string {
  return urlFormat.replace(/%\(([A-Za-z0-9_-]+)\)s/g, (_whole, name: string) => groups.get(name) ?? '')
}
