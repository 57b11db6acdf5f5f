/** One known vulnerability, as registries describe it. */
interface Advisory {
  title: string
  severity: string
  url?: string
  /** A range of versions such as `>=1.0.0 <1.4.2 || <0.9.1`. */
  vulnerable_versions: string
}

/** Advisories by name of the package. */
export type Advisories = Readonly<Record<string, readonly Advisory[]>>

export interface LockedPackage {
  name: string
  version: string
}

interface Lockfile {
  packages: Record<string, { name?: string; version?: string; link?: boolean }>
}

/** Lists the packages of a lockfile that are not this repository's own, each version once. */
export function listLocked({ packages }: Lockfile): LockedPackage[] {
  const found = new Map<string, LockedPackage>()
  for (const [path, { name: alias, version, link }] of Object.entries(packages)) {
    const [, folder] = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path) ?? []
    const name = alias ?? folder
    if (folder && name && version && !link) found.set(`${name} ${version}`, { name, version })
  }
  return [...found.values()]
}

export interface FoundAdvisory extends LockedPackage {
  advisory: Advisory
}

export function findAdvisories(locked: readonly LockedPackage[], advisories: Advisories): FoundAdvisory[] {
  return locked.flatMap(({ name, version }) => {
    const packageAdvisories = Object.hasOwn(advisories, name) ? (advisories[name] ?? []) : []
    return packageAdvisories
      .filter(({ vulnerable_versions }) => isWithin(version, vulnerable_versions))
      .map((advisory) => ({ name, version, advisory }))
  })
}

/**
 * Returns whether a version is within a range. A range that cannot be parsed counts as a match, so
 * that a person reviews it.
 */
export function isWithin(version: string, range: string): boolean {
  return range.split('||').some((part) => {
    const comparisons = part
      .trim()
      .replace(/([<>=])\s+/g, '$1')
      .split(/[\s,]+/)
    return comparisons.every((comparison) => fulfils(version, comparison))
  })
}

function fulfils(version: string, comparison: string): boolean {
  const [, sign = '=', bound] = /^(<=|>=|<|>|=)?v?(\d+(?:\.\d+){0,2}(?:-[\w.-]+)?)$/.exec(comparison) ?? []
  if (bound === undefined) return true
  const order = compare(version, bound)
  if (sign === '<') return order < 0
  if (sign === '<=') return order <= 0
  if (sign === '>') return order > 0
  return sign === '>=' ? order >= 0 : order === 0
}

/** Returns a negative number if `a` is older than `b`. A pre-release is older than its release. */
function compare(a: string, b: string): number {
  const [left, right] = [parse(a), parse(b)]
  for (let index = 0; index < 3; index++) {
    const difference = (left.numbers[index] ?? 0) - (right.numbers[index] ?? 0)
    if (difference !== 0) return difference
  }
  if (left.pre === right.pre) return 0
  if (left.pre === '' || right.pre === '') return left.pre === '' ? 1 : -1
  return left.pre.localeCompare(right.pre, 'en', { numeric: true })
}

function parse(version: string): { numbers: number[]; pre: string } {
  const [plain = ''] = version.split('+')
  const [numbers = '', ...pre] = plain.split('-')
  return { numbers: numbers.split('.').map(Number), pre: pre.join('-') }
}
