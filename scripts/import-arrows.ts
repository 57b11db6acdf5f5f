import { dirname, join, normalize } from 'node:path'

export interface SourceFile {
  /** From the root of the repository. */
  path: string
  text: string
}

/** web, cli → sdk → contract ← server. A command of the cli that runs a server goes through the server's entry. */
const packages: Record<string, { imports: string[]; inTests?: string[] }> = {
  'packages/contract': { imports: [] },
  'packages/markdown': { imports: [] },
  'packages/integrations': { imports: [], inTests: ['@oxbow/markdown'] },
  'packages/search': { imports: [], inTests: ['@oxbow/markdown'] },
  'packages/sdk': { imports: ['@oxbow/contract'] },
  'packages/testkit': { imports: ['@oxbow/contract', '@oxbow/sdk', '@oxbow/server'] },
  'apps/server': {
    imports: ['@oxbow/contract', '@oxbow/integrations', '@oxbow/markdown', '@oxbow/search'],
    inTests: ['@oxbow/sdk', '@oxbow/testkit'],
  },
  'apps/cli': {
    imports: ['@oxbow/contract', '@oxbow/integrations', '@oxbow/sdk', '@oxbow/server'],
    inTests: ['@oxbow/testkit'],
  },
  'apps/web': { imports: ['@oxbow/contract', '@oxbow/sdk', '@oxbow/markdown'] },
}

/** Features of the server: left may not know right. */
const features = [
  'identity',
  'queues',
  'organization',
  'sign-in',
  'profile-fields',
  'domains',
  'organization-pictures',
  'linkifiers',
  'emoji',
  'user-groups',
  'streams',
  'alert-words',
  'messages',
  'user-status',
  'users',
  'invitations',
  'webhooks',
  'devices',
  'settings',
  'presence',
  'typing',
  'organization-settings',
  'permissions',
  'reference',
]
/** Below all features; they know none of them. */
const ground = ['platform', 'events']
/**
 * Inside a feature: routes → actions → access → queries. Whatever knows nothing of its own feature (rules for names,
 * types) stands below all of them.
 */
const ranks: Record<string, number> = { 'queries.ts': 0, 'views.ts': 0, 'access.ts': 1, 'routes.ts': 3 }
const actionRank = 2

/** One line for each import that goes against the arrows. */
export function checkImports(files: SourceFile[]): string[] {
  const leaves = new Set(files.filter(isLeaf).map(({ path }) => path))
  return files.flatMap((file) =>
    importsOf(file.text).flatMap((target) => {
      const objection = target.startsWith('.')
        ? objectToFile(file.path, target, leaves)
        : objectToPackage(file.path, target)
      return objection ? [`${file.path} imports ${target}: ${objection}`] : []
    }),
  )
}

export function importsOf(text: string): string[] {
  const pattern =
    /(?:^|\n)\s*(?:import|export)\s(?:[^'"`]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g
  return [...text.matchAll(pattern)].map((match) => match[1] ?? match[2] ?? '')
}

const isTest = (path: string): boolean => path.endsWith('.test.ts') || path.includes('/test/')

function objectToPackage(path: string, target: string): string | undefined {
  const home = packageOf(path)
  const rule = packages[home]
  if (!rule) return `no rule for ${home}; add it to scripts/import-arrows.ts`
  if (home === 'packages/contract' && !isTest(path)) {
    return target === 'zod' ? undefined : 'the contract runs anywhere and imports only zod'
  }
  const [scope, name] = target.split('/')
  if (scope !== '@oxbow') return undefined
  const imported = `${scope}/${name}`
  if (rule.imports.includes(imported) || (isTest(path) && rule.inTests?.includes(imported))) return undefined
  return `${home} may not know ${imported}`
}

const resolve = (path: string, target: string): string => normalize(join(dirname(path), target))

function isLeaf({ path, text }: SourceFile): boolean {
  const own = importsOf(text).filter((target) => target.startsWith('.'))
  return own.every((target) => roomOf(resolve(path, target)) !== roomOf(path))
}

function objectToFile(path: string, target: string, leaves: ReadonlySet<string>): string | undefined {
  const resolved = resolve(path, target)
  if (packageOf(resolved) !== packageOf(path)) return 'another package is imported by its name'
  if (packageOf(path) !== 'apps/server' || isTest(path)) return undefined
  const [from, to] = [roomOf(path), roomOf(resolved)]
  // app.ts, node.ts and index.ts put everything together.
  if (from === '') return undefined
  if (to === '') return 'features and platform do not know what puts them together'
  if (from === to) return leaves.has(resolved) ? undefined : objectWithinFeature(path, resolved)
  if (ground.includes(from)) return ground.includes(to) ? undefined : `${from} knows no feature`
  if (ground.includes(to)) return undefined
  if (!features.includes(from)) return `no place for ${from}; add it to scripts/import-arrows.ts`
  return features.indexOf(to) < features.indexOf(from)
    ? undefined
    : `${from} stands left of ${to} and may not know it`
}

function objectWithinFeature(path: string, resolved: string): string | undefined {
  if (ground.includes(roomOf(path))) return undefined
  const rank = (file: string) => ranks[file.split('/').at(-1) ?? ''] ?? actionRank
  return rank(resolved) <= rank(path) ? undefined : 'inside a feature: routes → actions → access → queries'
}

function packageOf(path: string): string {
  return path.split('/').slice(0, 2).join('/')
}

/** The folder below src; empty for files directly in it. */
function roomOf(path: string): string {
  const [, , , room, ...rest] = path.split('/')
  return rest.length > 0 ? (room ?? '') : ''
}
