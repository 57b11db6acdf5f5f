import type { SourceFile } from '../import-arrows.ts'
import type { AllowedPattern } from './allowed-patterns.ts'
import { type Attack, findAttack } from './find-attack.ts'
import { type FoundPattern, listPatterns } from './list-patterns.ts'
import { PatternTooComplex } from './pattern-graph.ts'

const advice = [
  'Let neighbouring parts match no common character, forbid the start of a part inside it, or put (?<!x)',
  'in front of x+. A final (.*)$ needs the flag s. If nobody can choose a long text, add the pattern to',
  'scripts/checks/patterns/allowed-patterns.ts and say why.',
].join('\n')

/** A regular expression that takes at least quadratic time for some texts. */
export interface SlowPattern {
  path: string
  line: number
  /** The expression as a literal. */
  pattern: string
  /** Says for which texts it is slow. */
  problem: string
}

export function listSlowPatterns(file: SourceFile): SlowPattern[] {
  return listPatterns(file).flatMap((found) => {
    const problem = describeProblem(found)
    return problem === undefined
      ? []
      : [{ path: found.path, line: found.line, pattern: show(found), problem }]
  })
}

/**
 * Lists the slow patterns that are not allowed, as `path:line: pattern`, each with a text for which
 * it is slow, and entries of `allowed` that are no longer needed.
 */
export function findForbiddenPatterns(
  found: readonly SlowPattern[],
  allowed: readonly AllowedPattern[],
): string[] {
  const unused = new Set(allowed)
  const slow = found.flatMap(({ path, line, pattern, problem }) => {
    const entry = allowed.find((entry) => entry.path === path && entry.pattern === pattern)
    if (entry) unused.delete(entry)
    return entry ? [] : [`${path}:${line}: ${pattern} ${problem}`]
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
