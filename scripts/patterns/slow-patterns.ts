import type { SourceFile } from '../import-arrows.ts'
import type { AllowedPattern } from './allowed-patterns.ts'
import { type Attack, findAttack } from './find-attack.ts'
import { type FoundPattern, listPatterns } from './list-patterns.ts'
import { PatternTooComplex } from './pattern-graph.ts'

const advice = [
  'Let neighbouring parts match no common character, forbid the start of a part inside it, or put (?<!x)',
  'in front of x+. A final (.*)$ needs the flag s. If nobody can choose a long text, add the pattern to',
  'scripts/patterns/allowed-patterns.ts and say why.',
].join('\n')

/**
 * Lists regular expressions that take at least quadratic time for some texts, as
 * `path:line: pattern`, each with such a text, and entries of `allowed` that are no longer needed.
 */
export function findSlowPatterns(files: SourceFile[], allowed: readonly AllowedPattern[]): string[] {
  const unused = new Set(allowed)
  const slow = files.flatMap(listPatterns).flatMap((found) => {
    const problem = describeProblem(found)
    if (problem === undefined) return []
    const pattern = show(found)
    const entry = allowed.find((entry) => entry.path === found.path && entry.pattern === pattern)
    if (entry) unused.delete(entry)
    return entry ? [] : [`${found.path}:${found.line}: ${pattern} ${problem}`]
  })
  const stale = [...unused].map(
    ({ path, pattern }) => `${path}: ${pattern} is not slow, or gone; remove it from allowed-patterns.ts`,
  )
  return slow.length > 0 ? [...slow, advice, ...stale] : stale
}

/** Writes a pattern as a literal, also if the source has it as a text. */
function show({ source, flags }: FoundPattern): string {
  try {
    return String(new RegExp(source, flags))
  } catch {
    return `/${source}/${flags}`
  }
}

function describeProblem(found: FoundPattern): string | undefined {
  try {
    const attack = findAttack(found)
    return attack && `is slow for ${describeAttack(attack)}`
  } catch (error) {
    if (error instanceof PatternTooComplex) return 'is too complex to be checked'
    // The parser does not know the newest syntax, and a pattern with unknown parts may be malformed.
    if (error instanceof SyntaxError) return `cannot be checked (${error.message})`
    throw error
  }
}

function describeAttack({ prefix, pump, suffix }: Attack): string {
  const parts = [
    prefix && JSON.stringify(prefix),
    `${JSON.stringify(pump)}.repeat(n)`,
    suffix && JSON.stringify(suffix),
  ]
  return parts.filter((part) => part !== '').join(' + ')
}
