import { dirname, join, normalize } from 'node:path'
import { assets, startedModules } from '../../assets/src/table.ts'

/** Text files by their path from the root of the repository. Files that are not text have an empty text. */
export type Sources = ReadonlyMap<string, string>

const isCode = (path: string): boolean => /\.(?:tsx?|m?js)$/.test(path)
const isTestCode = (path: string): boolean => /\.test\.tsx?$|\/test\//.test(path)

interface Import {
  target: string
  /** The imported names; undefined if the file may use everything. */
  names?: readonly string[]
}

/** The exports of a module. */
interface Exports {
  /** Names that the module declares. */
  readonly own: ReadonlySet<string>
  /** Names that it exports from other modules. */
  readonly passed: Map<string, { file: string; original: string }>
  /** Modules of which it exports everything. */
  readonly all: string[]
}

const declaration =
  /^export (?:declare )?(?:default )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|enum|type|interface) (\w+)/gm
const passedOn = /^export (?:type )?(?:(\*)(?: as (\w+))?|\{([^}]*)\}) from '([^']+)'/gm

/**
 * Files that a program opens by a path that it computes: the client and the command line are built
 * or bundled before the tests.
 */
const builtFrom: Readonly<Record<string, readonly string[]>> = {
  'packages/testkit/src/shared-browser.ts': [
    'apps/web/src/main.ts',
    'apps/web/index.html',
    'apps/web/public/',
  ],
  'packages/testkit/src/oxbow-program.ts': ['apps/cli/src/main.ts'],
}

/**
 * Tells which files each file uses: modules and style sheets that it imports, and files and folders
 * that it names in a string. Types do not count, because tests run without them.
 */
export class SourceGraph {
  readonly #sources: Sources
  readonly #exports: ReadonlyMap<string, string>
  /** The files in each folder, at any depth. */
  readonly #folders: ReadonlyMap<string, string[]>
  readonly #edges = new Map<string, readonly string[]>()
  readonly #exported = new Map<string, Exports>()
  /** The files that use a file which no other file names, by the folder that both are in. */
  readonly #unnamed = new Map<string, string[]>()

  constructor(sources: Sources) {
    this.#sources = sources
    this.#exports = listPackageExports(sources)
    this.#folders = groupByFolder([...sources.keys()])
    const code = [...sources.keys()].filter(isCode)
    for (const path of code) this.#edges.set(path, this.#listUsed(path))
    for (const path of sources.keys()) {
      if (path.endsWith('.css')) this.#edges.set(path, this.#listStyles(path))
      if (path.endsWith('.html')) this.#edges.set(path, this.#listLinked(path))
    }
    const named = new Set([...this.#edges.values()].flat())
    for (const path of sources.keys()) if (!isCode(path) && !named.has(path)) this.#addUnnamed(path)
  }

  /** Returns the files that a file uses directly. */
  listUses(path: string): readonly string[] {
    return [...(this.#edges.get(path) ?? []), ...(this.#unnamed.get(path) ?? [])]
  }

  textOf(path: string): string {
    return this.#sources.get(path) ?? ''
  }

  get paths(): Iterable<string> {
    return this.#sources.keys()
  }

  /** Returns the file that declares an export of a module, which may pass on exports of other modules. */
  #findDeclaration(path: string, name: string): string | undefined {
    const exports = this.#listExports(path)
    if (exports.own.has(name)) return path
    const passed = exports.passed.get(name)
    if (passed) return this.#findDeclaration(passed.file, passed.original) ?? passed.file
    for (const file of exports.all) {
      const found = this.#findDeclaration(file, name)
      if (found) return found
    }
    return undefined
  }

  #listExports(path: string): Exports {
    const known = this.#exported.get(path)
    if (known) return known
    const text = this.textOf(path)
    const own = new Set([...text.matchAll(declaration)].map(([, name = '']) => name))
    const exports: Exports = { own, passed: new Map(), all: [] }
    this.#exported.set(path, exports)
    for (const [, isAll, alias, list = '', target = ''] of text.matchAll(passedOn)) {
      const file = this.#resolve(path, target)
      if (!file) continue
      if (alias) exports.passed.set(alias, { file, original: alias })
      else if (isAll) exports.all.push(file)
      for (const part of list.split(',')) {
        const [original = '', name = original] = part.replace('type ', '').trim().split(' as ')
        if (name !== '') exports.passed.set(name, { file, original })
      }
    }
    return exports
  }

  #listUsed(path: string): readonly string[] {
    const text = withoutComments(this.textOf(path))
    const used = new Set<string>()
    for (const { target, names } of listImports(text)) {
      const file = this.#resolve(path, target)
      if (!file) continue
      const declaring = names?.map((name) => this.#findDeclaration(file, name))
      for (const each of declaring ?? [file]) used.add(each ?? file)
    }
    for (const file of this.#listNamed(path, text.replaceAll(statement, ''))) used.add(file)
    for (const target of builtFrom[path] ?? []) for (const file of this.#expand(target)) used.add(file)
    used.delete(path)
    return [...used]
  }

  /** Returns the file that a module imports by a path or by the name of a package of this repository. */
  #resolve(path: string, target: string): string | undefined {
    const bare = target.replace(/\?\w+$/, '')
    const file = bare.startsWith('.') ? normalize(join(dirname(path), bare)) : this.#exports.get(bare)
    return file !== undefined && this.#sources.has(file) ? file : undefined
  }

  /** Lists files and folders that strings of a file name, relative to its folder or to the root. */
  #listNamed(path: string, text: string): string[] {
    const names = [...text.matchAll(/['"`]([\w@.][\w@./-]*)['"`]/g)].map(([, name = '']) => name)
    const joined = [
      ...text.matchAll(/(?:join|resolve)\(\s*import\.meta\.dirname,\s*((?:'[^']*'(?:,\s*)?)+)\)/g),
    ].map(([, parts = '']) => join(...[...parts.matchAll(/'([^']*)'/g)].map(([, part = '']) => part)))
    const globs = [...text.matchAll(/'([\w./-]+\/)\*[^']*'/g)].map(([, folder = '']) => folder)
    const assetsUsed = [...text.matchAll(/findAsset(?:Path)?\('(\w+)'\)/g)].map(([, name = '']) => name)
    return [
      ...[...names, ...joined].flatMap((name) => [
        ...this.#expandData(normalize(join(dirname(path), name))),
        ...(name.includes('/') ? this.#expandData(normalize(name)) : []),
        ...(name.endsWith('.sql') ? this.#expandData(join(assets.sql.source, name)) : []),
      ]),
      ...globs.flatMap((folder) => this.#expandData(normalize(folder))),
      ...names.flatMap((name) => startedModules[name as keyof typeof startedModules] ?? []),
      ...assetsUsed.flatMap((name) => this.#expandAsset(name)),
    ]
  }

  /** Returns the files of an asset that code uses. Files with SQL functions are named by their callers. */
  #expandAsset(name: string): string[] {
    if (name === 'sql') return this.#expand('apps/server/src/migrations/')
    const source = assets[name as keyof typeof assets]?.source
    return source === undefined ? [] : this.#expand(source).filter((path) => !isTestCode(path))
  }

  /** Returns a file, or the files in a folder without code. Folders with code are named for many reasons. */
  #expandData(path: string): string[] {
    if (this.#sources.has(path)) return [path]
    const files = this.#folders.get(path.replace(/\/$/, '')) ?? []
    return files.some(isCode) ? [] : files
  }

  #expand(path: string): string[] {
    if (this.#sources.has(path)) return [path]
    return this.#folders.get(path.replace(/\/$/, '')) ?? []
  }

  /** Lists the style sheets that a sheet imports. */
  #listStyles(path: string): string[] {
    const targets = [...this.textOf(path).matchAll(/@import\s+(?:url\()?['"]([^'"]+)['"]/g)]
    return targets.flatMap(([, target = '']) => this.#resolve(path, target) ?? [])
  }

  /** Lists the files that a page loads. */
  #listLinked(path: string): string[] {
    const targets = [...this.textOf(path).matchAll(/(?:href|src)="\/?([^"]+)"/g)]
    return targets
      .map(([, target = '']) => join(dirname(path), target))
      .filter((file) => this.#sources.has(file))
  }

  /** Counts a file that no code names, such as a fixture, as used by all code of the closest folder that has code. */
  #addUnnamed(path: string): void {
    if (!/^(?:apps|packages|scripts)\//.test(path)) return
    for (let folder = dirname(path); folder.includes('/'); folder = dirname(folder)) {
      const code = (this.#folders.get(folder) ?? []).filter(isCode)
      for (const user of code) addTo(this.#unnamed, user, path)
      if (code.length > 0) return
    }
  }
}

/** Matches imports and exports of modules, dynamic imports, and URLs relative to the module. */
const statement =
  /(?:^|\n)\s*(?:import|export)\s+(type\s)?(?:([^'"`;]*?)\sfrom\s+)?['"]([^'"]+)['"]|\b(?:import|import\.meta\.resolve)\(\s*['"]([^'"]+)['"]|new URL\(\s*['"](\.[^'"]+)['"]/g

function listImports(text: string): Import[] {
  return [...text.matchAll(statement)].flatMap(([, isType, names, target, called, url]): Import[] => {
    if (called ?? url) return [{ target: called ?? url ?? '' }]
    if (isType || target === undefined) return []
    const listed = /^\{([^}]*)\}$/.exec(names?.trim() ?? '')?.[1]
    if (listed === undefined) return [{ target }]
    const values = listed.split(',').flatMap((part) => {
      const [name = ''] = part.trim().split(' as ')
      return name === '' || name.startsWith('type ') ? [] : [name]
    })
    return values.length === 0 ? [] : [{ target, names: values }]
  })
}

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*/gm, '')

/** Maps names by which packages of this repository are imported, such as `@oxbow/sdk/windows`, to files. */
function listPackageExports(sources: Sources): Map<string, string> {
  const found = new Map<string, string>()
  for (const [path, text] of sources) {
    if (!/^(?:apps|packages)\/[\w-]+\/package\.json$/.test(path)) continue
    const { name, exports = {} } = JSON.parse(text) as { name: string; exports?: Record<string, unknown> }
    for (const [key, target] of Object.entries(exports))
      if (typeof target === 'string')
        for (const [module, file] of expandPattern(key, join(dirname(path), target), sources))
          found.set(join(name, module), file)
  }
  return found
}

/** Lists the modules and files that an export stands for: those that match, if it contains a `*`. */
function expandPattern(key: string, target: string, sources: Sources): (readonly [string, string])[] {
  if (!key.includes('*')) return [[key, target]]
  const [start = '', end = ''] = target.split('*')
  return [...sources.keys()]
    .filter((path) => path.startsWith(start) && path.endsWith(end))
    .map((path) => [key.replace('*', path.slice(start.length, path.length - end.length)), path])
}

function groupByFolder(paths: readonly string[]): Map<string, string[]> {
  const folders = new Map<string, string[]>()
  for (const path of paths) {
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
      addTo(folders, folder, path)
    }
  }
  return folders
}

/** Adds a value to the list of a key. */
export function addTo(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}
