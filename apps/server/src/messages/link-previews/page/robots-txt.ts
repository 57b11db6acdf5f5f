/** A line of robots.txt that allows or forbids paths. */
interface Rule {
  isAllowed: boolean
  pattern: string
}

export type RobotsRules = readonly Rule[]

const maxRules = 1_000
const maxPatternCharacters = 500
const maxWildcards = 10
/** `indexOf` takes quadratic time for texts of more than 250 characters. */
const maxSearchedCharacters = 200

/**
 * Parses robots.txt (RFC 9309) and returns the rules for a robot: the rules of all groups that name
 * this robot, or, if there are none, the rules for all robots.
 */
export function parseRobotsTxt(text: string, agent: string): RobotsRules {
  const own: Rule[] = []
  const everyone: Rule[] = []
  let group = { isOwn: false, isEveryone: false }
  let isReadingNames = false
  let isNamed = false
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, key = '', rest = ''] = /^\s*([\w-]+)\s*:\s*([^#]*)/.exec(line) ?? []
    const kind = key.toLowerCase()
    const value = rest.trim()
    if (kind === 'user-agent') {
      if (!isReadingNames) group = { isOwn: false, isEveryone: false }
      group.isOwn ||= value.toLowerCase() === agent.toLowerCase()
      group.isEveryone ||= value === '*'
      isNamed ||= group.isOwn
      isReadingNames = true
    } else if (kind === 'allow' || kind === 'disallow') {
      isReadingNames = false
      const pattern = normalizePath(value)
      if (value === '' || isTooComplex(pattern)) continue
      const rule = { isAllowed: kind === 'allow', pattern }
      if (group.isOwn && own.length < maxRules) own.push(rule)
      if (group.isEveryone && everyone.length < maxRules) everyone.push(rule)
    }
  }
  return isNamed ? own : everyone
}

/** Returns whether a pattern would be slow to match. Only attackers write such patterns. */
function isTooComplex(pattern: string): boolean {
  const [, ...searched] = pattern.split('*', maxWildcards + 2)
  return (
    pattern.length > maxPatternCharacters ||
    searched.length > maxWildcards ||
    searched.some((text) => text.length > maxSearchedCharacters)
  )
}

/**
 * Returns whether robots may fetch the path. The longest matching pattern decides. Of two patterns
 * with equal length, the one that allows the path takes precedence.
 */
export function isPathAllowed(rules: RobotsRules, path: string): boolean {
  const normalizedPath = normalizePath(path)
  let [isAllowed, length] = [true, -1]
  for (const rule of rules) {
    const isStronger =
      rule.pattern.length > length || (rule.pattern.length === length && rule.isAllowed && !isAllowed)
    if (isStronger && matches(rule.pattern, normalizedPath))
      [isAllowed, length] = [rule.isAllowed, rule.pattern.length]
  }
  return isAllowed
}

/**
 * Matches a path against a pattern: `*` matches any characters, and `$` at the end matches the end
 * of the path.
 */
function matches(pattern: string, path: string): boolean {
  const isAnchored = pattern.endsWith('$')
  const [first = '', ...rest] = (isAnchored ? pattern.slice(0, -1) : pattern).split('*')
  if (!path.startsWith(first)) return false
  let at = first.length
  for (const [index, part] of rest.entries()) {
    if (isAnchored && index === rest.length - 1) return path.length - part.length >= at && path.endsWith(part)
    const found = path.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return !isAnchored || at === path.length
}

/** Normalizes the percent-encoding of a path, because some characters may be encoded or not. */
function normalizePath(path: string): string {
  try {
    return encodeURI(decodeURI(path))
  } catch {
    return path
  }
}
