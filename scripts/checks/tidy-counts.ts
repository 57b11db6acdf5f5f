import { findImportCycles, importsOf, resolve, type SourceFile } from './import-arrows.ts'

/** A property that should rarely occur. Its count may only go down. */
export interface TidyCount {
  name: string
  /** The count that the check accepts. Lower it when there are fewer; never raise it. */
  limit: number
  /** The count that we want to reach. */
  goal: number
  find: (files: readonly SourceFile[]) => string[]
}

/** A module that has at most this many lines is a function of its importer, unless it has a test or is a screen. */
const maxSmallLines = 30

const isTest = (path: string): boolean => /\.test\.tsx?$|\/test\//.test(path)
const isSourceOf = (app: string, path: string): boolean =>
  path.startsWith(`apps/${app}/src/`) && !isTest(path)

/** Everything that the house should have less of. `npm run check` compares the counts with their limits. */
export const tidyCounts: readonly TidyCount[] = [
  {
    name: `modules of the server with at most ${maxSmallLines} lines and one importer`,
    limit: 37,
    goal: 40,
    find: (files) => findSmallModules('server', files),
  },
  {
    name: `modules of the web client with at most ${maxSmallLines} lines and one importer`,
    limit: 8,
    goal: 15,
    find: (files) => findSmallModules('web', files),
  },
  {
    name: 'casts `as never` and `as unknown as` in the web client',
    limit: 5,
    goal: 10,
    find: (files) => files.filter(({ path }) => isSourceOf('web', path)).flatMap(findCasts),
  },
  {
    name: 'pairs of folders of the web client that import each other',
    limit: 0,
    goal: 3,
    find: (files) => findMutualFolders(files.filter(({ path }) => isSourceOf('web', path))),
  },
  {
    name: 'entries of apps/server/src',
    limit: 21,
    goal: 24,
    find: (files) => listEntries('apps/server/src/', files),
  },
  { name: 'import circles', limit: 0, goal: 0, find: (files) => findImportCycles([...files]) },
  {
    name: 'names that two exported functions of a package share',
    limit: 0,
    goal: 0,
    find: findSharedNames,
  },
]

/**
 * Finds small modules that only one other imports. A reader has to open them to follow their importer.
 * Declarations of features are listed by `features.ts`, and say what is in their folder.
 */
export function findSmallModules(app: string, files: readonly SourceFile[]): string[] {
  const paths = new Set(files.map(({ path }) => path))
  const importers = listImporters(files)
  return files
    .filter(
      ({ path, text }) =>
        isSourceOf(app, path) &&
        !path.endsWith('/feature.ts') &&
        !isScreen(text) &&
        !paths.has(path.replace(/\.tsx?$/, '.test.ts')) &&
        text.trimEnd().split('\n').length <= maxSmallLines,
    )
    .flatMap(({ path }) => {
      const all = importers.get(path) ?? []
      const [importer, ...others] = all.filter((each) => !isTest(each))
      const isTested = all.some(isTest)
      return importer === undefined || others.length > 0 || isTested ? [] : [`${path} ← ${importer}`]
    })
}

/** A screen fills one of the frames that views have. */
const isScreen = (text: string): boolean => /<(?:\w*ViewFrame|PagesFrame)\b/.test(text)

function listImporters(files: readonly SourceFile[]): Map<string, string[]> {
  const importers = new Map<string, Set<string>>()
  for (const { path, text } of files) {
    for (const target of importsOf(text).filter((each) => each.startsWith('.'))) {
      const imported = resolve(path, target)
      importers.set(imported, (importers.get(imported) ?? new Set()).add(path))
    }
  }
  return new Map([...importers].map(([path, set]) => [path, [...set]]))
}

function findCasts({ path, text }: SourceFile): string[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(/\bas (?:never|unknown as)\b/g)].map(() => `${path}:${index + 1}: ${line.trim()}`),
    )
}

/** Finds pairs of folders, on the first level below `src`, that import each other. */
export function findMutualFolders(files: readonly SourceFile[]): string[] {
  const imports = new Set<string>()
  for (const { path, text } of files) {
    for (const target of importsOf(text).filter((each) => each.startsWith('.'))) {
      const [from, to] = [folderOf(path), folderOf(resolve(path, target))]
      if (from && to && from !== to) imports.add(`${from} ${to}`)
    }
  }
  return [...imports].flatMap((pair) => {
    const [from = '', to = ''] = pair.split(' ')
    return from < to && imports.has(`${to} ${from}`) ? [`${from} ⇄ ${to}`] : []
  })
}

/** Returns the first folder below `apps/NAME/src`; undefined for files directly in `src`. */
function folderOf(path: string): string | undefined {
  const [, , , folder, ...rest] = path.split('/')
  return rest.length > 0 ? folder : undefined
}

function listEntries(folder: string, files: readonly SourceFile[]): string[] {
  const names = files
    .filter(({ path }) => path.startsWith(folder))
    .map(({ path }) => path.slice(folder.length))
  return [...new Set(names.map((name) => name.split('/')[0] ?? ''))].sort()
}

/**
 * Finds names of functions that several modules of a package export, so that a reader cannot tell which
 * one is called. Integrations are packages of their own in this sense.
 */
export function findSharedNames(files: readonly SourceFile[]): string[] {
  const declared = new Map<string, string[]>()
  for (const { path, text } of files) {
    const home = /^(?:packages\/integrations\/src\/services\/\w+|(?:apps|packages)\/[\w-]+)(?=\/)/.exec(
      path,
    )?.[0]
    // A `.d.ts` file declares the functions of a module in JavaScript.
    if (home === undefined || isTest(path) || path.endsWith('.d.ts')) continue
    for (const [, functionName, constName] of text.matchAll(exportedFunction)) {
      const key = `${home} ${functionName ?? constName}`
      declared.set(key, [...(declared.get(key) ?? []), path])
    }
  }
  return [...declared]
    .filter(([, paths]) => new Set(paths).size > 1)
    .map(([key, paths]) => `${key.split(' ')[1]}: ${paths.join(', ')}`)
}

const exportedFunction =
  /^export (?:async )?(?:function\*? (\w+)|const (\w+)(?:: [^=\n]+)? = (?:async )?(?:<[^()]*>)?\()/gm

/** Compares a count with its limit: more is a fault, and fewer should lower the limit. */
export function judgeCount(
  { name, limit, find }: TidyCount,
  files: readonly SourceFile[],
): { fault?: string; advice?: string } {
  const found = find(files)
  const where = 'scripts/checks/tidy-counts.ts'
  if (found.length > limit) {
    const listed = found.length <= maxListed ? `\n  ${found.join('\n  ')}` : ' (--list names them)'
    return { fault: `${name}: ${found.length}, but ${where} allows ${limit}${listed}` }
  }
  return found.length < limit ? { advice: `${name}: only ${found.length}. Lower the limit in ${where}.` } : {}
}

/** Offenders that are named without `--list`. */
const maxListed = 10
