import { basename, dirname } from 'node:path'
import { listEndpoints } from '../../contract/src/index.ts'
import { addTo, type SourceGraph } from './source-graph.ts'
import { laneOf } from './test-files.ts'

/** A test file that a change reaches. */
export interface ReachedTest {
  test: string
  /** The files from the test to the changed file, each of which uses the next one. */
  chain: readonly string[]
}

/**
 * Files that gather what all features declare. Nearly every test uses them, so they would connect
 * each test with each feature. A test uses a feature if it calls one of its endpoints, is in its
 * folder, or is named after it.
 */
export const gatheringFiles: readonly string[] = [
  'apps/server/src/features.ts',
  'packages/contract/src/api.ts',
  'packages/contract/src/events/event.ts',
  'packages/contract/src/wire.generated.ts',
  'packages/assets/src/table.ts',
]

/** Returns whether a file is a test, or a helper of tests whose calls count as calls of the tests that import it. */
const isOfTests = (path: string): boolean =>
  /\.test\.ts$|^packages\/testkit\/src\/(?:calls|garden)\/\w.*\.ts$/.test(path) ||
  /^(?:apps|packages)\/[\w-]+\/(?:\w.*\/)?test\/.*\.ts$/.test(path)

/** The next file on the way to a changed file, by file. */
type Ways = ReadonlyMap<string, string | undefined>

/** Finds the tests that use changed files. The shortest chain of uses is the reason. */
export class TestReach {
  readonly #graph: SourceGraph
  readonly #featureFolders: ReadonlyMap<string, string>
  /** The files that use a file directly. */
  readonly #users = new Map<string, string[]>()
  readonly #actions: ReadonlyMap<string, readonly string[]>
  readonly #endpoints = listEndpoints().map(({ name, endpoint }) => ({
    name,
    path: patternOf(endpoint.path),
  }))

  constructor(graph: SourceGraph) {
    this.#graph = graph
    this.#featureFolders = new Map(
      [...graph.paths]
        .filter((path) => /^apps\/server\/src\/.*\/feature\.ts$/.test(path))
        .map((path) => [basename(dirname(path)), path]),
    )
    this.#actions = listActions(graph)
    for (const path of graph.paths) {
      const called = isOfTests(path) ? this.#listCalled(path) : []
      for (const used of [...graph.listUses(path), ...called]) addTo(this.#users, used, path)
    }
  }

  /** Returns the tests that use a changed file, those with the shortest chain first. */
  find(tests: readonly string[], changed: ReadonlySet<string>): ReachedTest[] {
    const usual = this.#findWays(changed, (path) => !gatheringFiles.includes(path))
    const throughAll = this.#findWays(changed, () => true)
    return tests
      .flatMap((test) => {
        const ways = this.#usesEverything(test) ? throughAll : usual
        const chains = [test, ...this.#listFeatures(test)].flatMap((start) =>
          ways.has(start) ? [start === test ? chainFrom(test, ways) : [test, ...chainFrom(start, ways)]] : [],
        )
        const [chain] = chains.sort((a, b) => a.length - b.length)
        return chain ? [{ test, chain }] : []
      })
      .sort((a, b) => a.chain.length - b.chain.length)
  }

  /**
   * Finds the files that use a changed file, directly or through others, each with the next file of its
   * shortest chain. Changed files have none.
   */
  #findWays(changed: ReadonlySet<string>, mayPass: (path: string) => boolean): Ways {
    const ways = new Map<string, string | undefined>()
    for (const path of changed) ways.set(path, undefined)
    // The map grows while it is read.
    for (const path of ways.keys()) {
      for (const user of this.#users.get(path) ?? [])
        if (!ways.has(user) && mayPass(user)) ways.set(user, path)
    }
    return ways
  }

  /** Returns whether a test is about all features: it imports the list of features or of endpoints. */
  #usesEverything(test: string): boolean {
    return this.#graph
      .listUses(test)
      .some(
        (path) =>
          gatheringFiles.includes(path) ||
          this.#graph.listUses(path).includes('packages/contract/src/api.ts'),
      )
  }

  /** Returns the features in whose folder a test is, or whose name is in the name of the test, if it starts a server. */
  #listFeatures(test: string): string[] {
    if (laneOf(test) === 'unit') return []
    const folders = dirname(test).split('/')
    const words = `-${basename(test).replace(/\..*/, '')}-`
    return [...this.#featureFolders].flatMap(([name, path]) =>
      folders.includes(name) || words.includes(`-${name}-`) ? [path] : [],
    )
  }

  /** Returns the actions of the endpoints that a test or helper calls, by name or by path. */
  #listCalled(path: string): string[] {
    const text = this.#graph.textOf(path)
    const named = [...text.matchAll(/\.(\w+)\s*\.(\w+)\s*(?:\(|as\b)/g)].map(
      ([, group, name]) => `${group}.${name}`,
    )
    const paths = [...text.matchAll(/['"`](?:[^'"`\s]*?)(\/api\/v1\/[^'"`\s?]*)/g)].map(
      ([, each = '']) => each,
    )
    const byPath = this.#endpoints.filter((endpoint) => paths.some((each) => endpoint.path.test(each)))
    const names = new Set([...named, ...byPath.map(({ name }) => name)])
    return [...names].flatMap((name) => this.#actions.get(name) ?? [])
  }
}

/** Matches a path of the contract where parameters have values, or are written as `${…}`. */
function patternOf(path: string): RegExp {
  const fixed = path.replaceAll(/[.*+?^$()[\]\\]/g, String.raw`\$&`)
  return new RegExp(`^${fixed.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}

function chainFrom(path: string, ways: Ways): string[] {
  const next = ways.get(path)
  return next === undefined ? [path] : [path, ...chainFrom(next, ways)]
}

/** Maps each endpoint, such as `drafts.create`, to the files of its declaration and of its action. */
function listActions(graph: SourceGraph): Map<string, string[]> {
  const actions = new Map<string, string[]>()
  const add = (name: string, path: string) => addTo(actions, name, path)
  const names = listEndpoints().map(({ name }) => name)
  const declared = listDeclarations(graph)
  for (const name of names) {
    const file = declared.get(name.split('.')[0] ?? '')
    if (file) add(name, file)
  }
  for (const path of graph.paths) {
    if (!/^apps\/server\/src\/.*\.ts$/.test(path) || path.endsWith('.test.ts')) continue
    const text = graph.textOf(path)
    for (const [, name = ''] of text.matchAll(/typeof api\.(\w+\.\w+)/g)) add(name, path)
    for (const [, group = ''] of text.matchAll(/Routes<typeof api\.(\w+)>/g)) {
      for (const name of names) {
        const [, action = ''] = name.split('.')
        const isServed = name.startsWith(`${group}.`) && new RegExp(`^\\s+${action}(?::|,$)`, 'm').test(text)
        const file = isServed ? findAction(graph, path, text, action) : undefined
        if (file) add(name, file)
      }
    }
  }
  return actions
}

function listDeclarations(graph: SourceGraph): Map<string, string> {
  const path = gatheringFiles.find((file) => file.endsWith('/api.ts')) ?? ''
  const uses = graph.listUses(path)
  const imports = graph.textOf(path).matchAll(/^import \* as (\w+) from '\.\/([^']+)'/gm)
  return new Map(
    [...imports].flatMap(([, group = '', target = '']) => {
      const file = uses.find((each) => each.endsWith(`/${target}`))
      return file ? [[group, file] as const] : []
    }),
  )
}

/** Returns the file from which a list of routes imports an action, or the list itself if it declares the action. */
function findAction(graph: SourceGraph, path: string, text: string, action: string): string | undefined {
  const [, name = action] = new RegExp(`^\\s+${action}: (\\w+)`, 'm').exec(text) ?? []
  const [, target] = new RegExp(`^import \\{[^}]*\\b${name}\\b[^}]*\\} from '([^']+)'`, 'm').exec(text) ?? []
  const stem = target?.replace(/^(?:\.\.?\/)+/, '')
  return stem === undefined ? path : graph.listUses(path).find((each) => each.endsWith(`/${stem}`))
}
