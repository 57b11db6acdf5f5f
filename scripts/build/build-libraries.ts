import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

/** Packages for developers. Each follows the packages that it imports. */
export const libraries = ['contract', 'markdown', 'search', 'sdk'] as const

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'))

/** Compiles the packages for developers, with declarations, into a folder for each inside `folder`. */
export async function buildLibraries(folder: string): Promise<void> {
  for (const name of libraries) await buildLibrary(name, resolve(folder))
}

async function buildLibrary(name: string, folder: string): Promise<void> {
  const target = join(folder, name)
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  await compile(name, folder)
  const source = join('packages', name)
  copyFileSync('LICENSE', join(target, 'LICENSE'))
  copyFileSync(join(source, 'README.md'), join(target, 'README.md'))
  writeFileSync(
    join(target, 'package.json'),
    `${JSON.stringify(publishedManifest(readJson(join(source, 'package.json'))), undefined, 2)}\n`,
  )
}

async function compile(name: string, folder: string): Promise<void> {
  const target = join(folder, name)
  const project = join(target, 'tsconfig.json')
  const source = resolve('packages', name, 'src')
  // Resolves imports to the declarations of the packages compiled before, in place of their
  // sources.
  const paths = libraries.flatMap((library) =>
    existsSync(join(folder, library, 'package.json')) ? listTypePaths(join(folder, library)) : [],
  )
  const compilerOptions = {
    noEmit: false,
    incremental: false,
    declaration: true,
    sourceMap: true,
    inlineSources: true,
    rewriteRelativeImportExtensions: true,
    // Compiles `using` away, because Node 22 does not support it.
    target: 'es2023',
    lib: ['esnext', 'dom', 'dom.iterable'],
    types: [],
    rootDir: source,
    outDir: join(target, 'dist'),
    paths: Object.fromEntries(paths),
  }
  const config = {
    extends: resolve('tsconfig.json'),
    compilerOptions,
    include: [source],
    exclude: [`${source}/**/*.test.ts`],
  }
  writeFileSync(project, JSON.stringify(config))
  const run = promisify(execFile)
  await run(resolve('node_modules/.bin/tsc'), ['--project', project]).catch(({ stdout, stderr }) => {
    throw new Error(`@oxbow/${name} cannot be compiled:\n${stdout}${stderr}`)
  })
  rmSync(project)
}

type Exports = Record<string, { types: string; default: string }>

function listTypePaths(library: string): [string, string[]][] {
  const { name, exports }: { name: string; exports: Exports } = readJson(join(library, 'package.json'))
  return Object.entries(exports).map(([entry, { types }]) => [join(name, entry), [join(library, types)]])
}

/**
 * Returns the manifest of a compiled package. Entries in `src` point to `dist`; other entries are
 * not published.
 */
function publishedManifest(manifest: Record<string, unknown> & { exports: Record<string, string> }) {
  const { name, version, description, license, sideEffects, dependencies, exports } = manifest
  const compiled = Object.entries(exports).flatMap(([entry, file]) => {
    const [, path] = /^\.\/src\/(.+)\.ts$/.exec(file) ?? []
    return path ? [[entry, { types: `./dist/${path}.d.ts`, default: `./dist/${path}.js` }]] : []
  })
  const toBuilt = (path: string) => path.replace('./src/', './dist/').replace(/\.ts$/, '.js')
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    ...(sideEffects !== undefined && {
      sideEffects: Array.isArray(sideEffects) ? sideEffects.map(toBuilt) : sideEffects,
    }),
    exports: Object.fromEntries(compiled),
    files: ['dist'],
    engines: { node: '>=22' },
    dependencies,
  }
}
