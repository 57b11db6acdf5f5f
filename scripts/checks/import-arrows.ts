import { dirname, join, normalize } from 'node:path'
import { findLevelViolation } from './web-levels.ts'

export interface SourceFile {
  /** Path relative to the root of the repository. */
  path: string
  text: string
}

/** Allowed imports between packages: web, cli → sdk → contract ← server. Commands that run a server import its entry. */
export const packages: Record<string, { imports: string[]; inTests?: string[] }> = {
  'packages/assets': { imports: [] },
  'packages/contract': { imports: [] },
  'packages/markdown': { imports: [] },
  'packages/integrations': { imports: ['@oxbow/assets'], inTests: ['@oxbow/markdown'] },
  'packages/search': { imports: [], inTests: ['@oxbow/markdown'] },
  'packages/imports': { imports: ['@oxbow/contract', '@oxbow/markdown'] },
  'packages/look': { imports: ['@oxbow/assets'] },
  'packages/reach': { imports: [] },
  'packages/texts': { imports: [] },
  'packages/sdk': { imports: ['@oxbow/contract'] },
  'packages/testkit': { imports: ['@oxbow/contract', '@oxbow/sdk', '@oxbow/server'] },
  'apps/server': {
    imports: [
      '@oxbow/assets',
      '@oxbow/contract',
      '@oxbow/imports',
      '@oxbow/integrations',
      '@oxbow/look',
      '@oxbow/markdown',
      '@oxbow/reach',
      '@oxbow/search',
      '@oxbow/texts',
    ],
    inTests: ['@oxbow/sdk', '@oxbow/testkit'],
  },
  'apps/cli': {
    imports: [
      '@oxbow/assets',
      '@oxbow/contract',
      '@oxbow/imports',
      '@oxbow/integrations',
      '@oxbow/sdk',
      '@oxbow/server',
    ],
    inTests: ['@oxbow/testkit'],
  },
  'apps/web': {
    imports: [
      '@oxbow/contract',
      '@oxbow/look',
      '@oxbow/markdown',
      '@oxbow/reach',
      '@oxbow/sdk',
      '@oxbow/texts',
    ],
    inTests: ['@oxbow/testkit'],
  },
}

/**
 * Areas of the server, from the ground up, each with its features: a file may import features that are listed
 * before its own. An area with one feature is the feature itself.
 */
export const areas: Record<string, readonly string[]> = {
  identity: ['identity/accounts', 'identity'],
  queues: ['queues'],
  organization: [
    'organization',
    'organization/finder',
    'organization/profile-fields',
    'organization/domains',
    'organization/pictures',
    'organization/linkifiers',
    'organization/emoji',
    'organization/user-groups',
  ],
  'sign-in': ['sign-in'],
  streams: ['streams'],
  messages: [
    'messages/external-pictures',
    'messages/alert-words',
    'messages',
    'messages/drafts',
    'messages/uploads',
  ],
  people: [
    'people/user-status',
    'people/users',
    'people/devices',
    'people/settings',
    'people/presence',
    'people/typing',
  ],
  reach: ['reach'],
  joining: ['joining/sessions', 'joining/invitations', 'joining/first-account', 'joining/password-reset'],
  bots: ['bots/webhooks', 'bots/outgoing-webhooks'],
  administration: [
    'administration/organization-settings',
    'administration/organization-deletion',
    'administration/erasure',
    'administration/own-data',
    'administration/permissions',
    'administration/exports',
    'administration/reports',
  ],
  pages: ['pages/web-client', 'pages/home', 'pages/reference'],
  api: ['api'],
  operators: ['operators'],
}
const features = Object.values(areas).flat()
/** Folders below all features, which import no feature. Events imports platform, but not vice versa. */
const baseFolders = ['platform', 'events']
/**
 * Order of imports inside a feature: feature → routes → actions → access → queries. A file that
 * imports no file of its own feature, such as one with types or name rules, may be imported by all
 * files of the feature.
 */
const ranks: Record<string, number> = {
  'queries.ts': 0,
  'views.ts': 0,
  'access.ts': 1,
  'routes.ts': 3,
  'feature.ts': 4,
}
const actionRank = 2

/** Returns one line for each import that is not allowed. */
export function checkImports(files: SourceFile[]): string[] {
  const leaves = new Set(files.filter(isLeaf).map(({ path }) => path))
  const hidden = files.filter(({ path, text }) => usesEvents(path, text)).map(({ path }) => path)
  const arrows = files.flatMap((file) =>
    importsOf(file.text).flatMap((target) => {
      const violation = target.startsWith('.')
        ? findFileViolation(file.path, target, leaves)
        : findPackageViolation(file.path, target)
      return violation ? [`${file.path} imports ${target}: ${violation}`] : []
    }),
  )
  return [...arrows, ...hidden.map((path) => `${path} uses app.events: platform may not depend on events`)]
}

/** Code can reach the event system through `App` without an import, so its use is found by name. */
const usesEvents = (path: string, text: string): boolean =>
  path.startsWith('apps/server/src/platform/') && !isTest(path) && /\bapp\.events\b/.test(text)

/**
 * Returns one line for each import cycle: files that import each other, directly or through others.
 * Imports of types count, because a reader follows them too.
 */
export function findImportCycles(files: SourceFile[]): string[] {
  const imported = new Map(
    files.map(({ path, text }) => [
      path,
      importsOf(text)
        .filter((target) => target.startsWith('.'))
        .map((target) => resolve(path, target)),
    ]),
  )
  const finished = new Set<string>()
  const circles: string[] = []
  const visit = (path: string, way: readonly string[]) => {
    const start = way.indexOf(path)
    if (start !== -1) circles.push([...way.slice(start), path].join(' → '))
    if (start !== -1 || finished.has(path)) return
    for (const target of imported.get(path) ?? []) visit(target, [...way, path])
    finished.add(path)
  }
  for (const { path } of files) visit(path, [])
  return circles
}

/** Files that write modules: the imports in these texts are relative to the written files. */
const writers = [
  'packages/texts/scripts/compile.ts',
  'scripts/build/bundle-oxbow.ts',
  'scripts/generate/wire-module.ts',
]

/**
 * Returns one line for each relative import of a file that does not exist. The compiler accepts some
 * of them, such as `./a.js` for `a.ts`, but Node does not.
 */
export function findMissingImports(
  files: readonly SourceFile[],
  isFile: (path: string) => boolean,
): string[] {
  const checked = files.filter(({ path }) => !writers.includes(path))
  return checked.flatMap(({ path, text }) =>
    importsOf(text)
      .filter((target) => target.startsWith('.') && !isFile(resolve(path, target)))
      .map((target) => `${path} imports ${target}, which does not exist`),
  )
}

export function importsOf(text: string): string[] {
  const pattern =
    /(?:^|\n)\s*(?:import|export)\s(?:[^'"`]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g
  return [...text.matchAll(pattern)].map((match) => match[1] ?? match[2] ?? '')
}

/** Maps each imported name of a file to the module it comes from, and its name there. */
export function importsByName(text: string): Map<string, { target: string; original: string }> {
  const pattern = /(?:^|\n)import (?:type )?\{([^}]*)\} from ['"]([^'"]+)['"]/g
  return new Map(
    [...text.matchAll(pattern)].flatMap(([, names = '', target = '']) =>
      names.split(',').map((imported) => {
        const [original = '', name = original] = imported.replace('type ', '').trim().split(' as ')
        return [name, { target, original }] as const
      }),
    ),
  )
}

const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path) || path.includes('/test/')

function findPackageViolation(path: string, target: string): string | undefined {
  const home = packageOf(path)
  const rule = packages[home]
  if (!rule) return `no rule for ${home}; add it to scripts/checks/import-arrows.ts`
  if (home === 'packages/contract' && !isTest(path)) {
    return target === 'zod' ? undefined : 'the contract runs anywhere and imports only zod'
  }
  const [scope, name] = target.split('/')
  if (scope !== '@oxbow') return undefined
  const imported = `${scope}/${name}`
  if (rule.imports.includes(imported) || (isTest(path) && rule.inTests?.includes(imported))) return undefined
  return `${home} may not import ${imported}`
}

/** Returns the path of an imported file, without the query that tells Vite how to load it. */
export const resolve = (path: string, target: string): string =>
  normalize(join(dirname(path), target.replace(/\?\w+$/, '')))

function isLeaf({ path, text }: SourceFile): boolean {
  const own = importsOf(text).filter((target) => target.startsWith('.'))
  return own.every((target) => folderOf(resolve(path, target)) !== folderOf(path))
}

function findFileViolation(path: string, target: string, leaves: ReadonlySet<string>): string | undefined {
  const resolved = resolve(path, target)
  if (packageOf(resolved) !== packageOf(path)) return 'another package is imported by its name'
  if (resolved.startsWith('apps/server/test/') && path.startsWith('apps/server/src/'))
    return 'helpers of tests beside the source are in @oxbow/testkit, or in a test folder of their feature'
  if (isTest(path)) return undefined
  if (packageOf(path) === 'apps/web') return findLevelViolation(path, resolved)
  if (packageOf(path) !== 'apps/server') return undefined
  const [from, to] = [folderOf(path), folderOf(resolved)]
  // Files directly in src, such as app.ts, features.ts, node.ts and index.ts, may import
  // everything. Commands of operators are called without a running node, so they open one.
  if (from === '' || (from === 'operators' && to === '')) return undefined
  // A feature's declaration may import its type from there, because that file imports only platform
  // and events.
  if (resolved === 'apps/server/src/feature.ts' && path.endsWith('/feature.ts')) return undefined
  if (to === '') return 'features and platform may not import app.ts, features.ts, node.ts or index.ts'
  if (from === to) return leaves.has(resolved) ? undefined : findViolationWithinFeature(path, resolved)
  if (baseFolders.includes(from)) {
    if (!baseFolders.includes(to)) return `${from} may not import a feature`
    return from === 'platform' ? 'platform may not import events' : undefined
  }
  if (baseFolders.includes(to)) return undefined
  if (!features.includes(from))
    return `${from} is not in the list of features; add it to scripts/checks/import-arrows.ts`
  return features.indexOf(to) < features.indexOf(from)
    ? undefined
    : `${from} comes before ${to} in the list of features and may not import it`
}

function findViolationWithinFeature(path: string, resolved: string): string | undefined {
  if (baseFolders.includes(folderOf(path))) return undefined
  const rank = (file: string) => ranks[file.split('/').at(-1) ?? ''] ?? actionRank
  return rank(resolved) <= rank(path)
    ? undefined
    : 'inside a feature: feature → routes → actions → access → queries'
}

function packageOf(path: string): string {
  return path.split('/').slice(0, 2).join('/')
}

/** Returns the feature or ground folder of a file of the server; empty for files directly in src. */
function folderOf(path: string): string {
  const [, , , area = '', folder, ...rest] = path.split('/')
  if (folder === undefined) return ''
  const feature = `${area}/${folder}`
  return rest.length > 0 && features.includes(feature) ? feature : area
}
