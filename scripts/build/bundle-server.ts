import { cpSync, globSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type BuildResult, build, type Plugin } from 'esbuild'
import { assets, startedModules } from '../../packages/assets/src/table.ts'
import { httpWithoutFetch } from './http-without-fetch.ts'
import { withoutExemplars } from './without-exemplars.ts'

/**
 * Packages with native code, which must be loaded from their own folders. They are installed beside
 * the bundle.
 */
export const nativePackages = ['@node-rs/argon2', 'sharp'] as const

const services = readdirSync(assets.integrations.source, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)

/**
 * Adds named exports to a CommonJS package that is imported dynamically. The bundler provides them
 * only for static imports.
 */
const undiciNamedExports: Plugin = {
  name: 'undici-named-exports',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^undici$/ }, ({ kind, resolveDir }) =>
      kind === 'dynamic-import'
        ? { path: 'undici', namespace: 'named-exports', pluginData: { resolveDir } }
        : undefined,
    )
    onLoad({ filter: /^undici$/, namespace: 'named-exports' }, ({ pluginData: { resolveDir } }) => ({
      contents: "export { buildConnector, Client } from 'undici'",
      resolveDir,
    }))
  },
}

/** Defines `require`, `__filename` and `__dirname`, which CommonJS dependencies use. */
const commonJsBanner = `import { createRequire as createRequireOfBundle } from 'node:module'
const require = createRequireOfBundle(import.meta.url)
const { filename: __filename, dirname: __dirname } = import.meta
`

/**
 * Bundles the command line, the server, its threads and processes, and every integration into
 * `dist/` of the package, with source maps. Modules that several of them load are bundled into a
 * shared file.
 */
export function bundleServer(packageFolder: string): Promise<BuildResult<{ metafile: true }>> {
  return build({
    entryPoints: {
      main: 'apps/cli/src/main.ts',
      ...startedModules,
      ...Object.fromEntries(
        services.map((name) => [
          `integrations/${name}/index`,
          `${assets.integrations.source}${name}/index.ts`,
        ]),
      ),
    },
    outdir: join(packageFolder, 'dist'),
    chunkNames: 'shared-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // Lines stay short, so that positions in stack traces are readable without the source maps.
    minifyWhitespace: true,
    lineLimit: 160,
    sourcemap: 'linked',
    sourcesContent: false,
    metafile: true,
    logLevel: 'warning',
    define: { OXBOW_IS_BUILT: 'true' },
    external: [...nativePackages, 'pg-native', '@opentelemetry/*'],
    plugins: [undiciNamedExports, withoutExemplars, httpWithoutFetch],
    banner: { js: commonJsBanner },
  })
}

/**
 * Copies the assets that the bundle reads, except the web client, which is built directly into its
 * folder.
 */
export function copyAssets(packageFolder: string): void {
  const copy = (name: keyof typeof assets, isNeeded: (file: string) => boolean) =>
    cpSync(assets[name].source, join(packageFolder, assets[name].built), {
      recursive: true,
      filter: (path) => !basename(path).includes('.') || isNeeded(path),
    })
  for (const path of globSync('**/*.sql', { cwd: assets.sql.source }))
    cpSync(join(assets.sql.source, path), join(packageFolder, assets.sql.built, path))
  copy('static', () => true)
  copy('help', (path) => path.endsWith('.md'))
  copy('helpPictures', (path) => path.endsWith('.png'))
  copy('styles', (path) => /\.(css|ico)$/.test(path))
  copy('integrationTemplate', () => true)
  for (const name of services)
    cpSync(
      join(assets.integrations.source, name, 'guide.md'),
      join(packageFolder, assets.integrations.built, name, 'guide.md'),
    )
}
