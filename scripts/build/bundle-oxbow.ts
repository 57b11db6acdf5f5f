import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin, stop } from 'esbuild'
import { removeOldEntries } from '../../packages/testkit/src/remove-old-entries.ts'
import { httpWithoutFetch } from './http-without-fetch.ts'
import { withoutExemplars } from './without-exemplars.ts'

// Starting `oxbow` from its sources loads some 1,500 modules, which takes 1.6 s of processor time,
// and tests start it more than a hundred times. A bundle of the same modules starts in 0.4 s.

/** The folder is inside the project, so that packages outside the bundle can be resolved. */
const folder = resolve('.cache/oxbow-bundles')

/** The entry of the bundle. Starts like bin/oxbow.js, with the compile cache beside the bundle. */
const start = `import module from 'node:module'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
module.enableCompileCache(fileURLToPath(new URL('./compiled', import.meta.url)))
setFlagsFromString('--semi-space-growth-factor=1')
await import('./main.mjs')
`

/**
 * Keeps the `import.meta` of the source files, so that modules find their workers, migrations and
 * other files.
 */
const originalPaths: Plugin = {
  name: 'original paths',
  setup({ onLoad }) {
    onLoad({ filter: /\/(apps|packages)\/.*\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      const contents = source
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
      return { loader: 'ts', contents }
    })
  },
}

/** Bundles the command line and everything that it loads. Returns the file to start with Node. */
export async function bundleOxbow(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: {
      main: 'apps/cli/src/main.ts',
      'command-host': 'apps/cli/test/command-host.ts',
      'inject-faults': 'packages/testkit/src/inject-faults.ts',
    },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    write: false,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    logLevel: 'warning',
    // All but undici load native code from their own folders. undici is a CommonJS package that is
    // imported dynamically, and a bundle would lack its named exports. OpenTelemetry is optional.
    external: ['sharp', '@node-rs/argon2', 'pg-native', 'undici', '@opentelemetry/*'],
    // Defines `require`, which CommonJS packages call and ES modules do not have.
    banner: {
      js: "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);",
    },
    plugins: [originalPaths, withoutExemplars, httpWithoutFetch],
  })
  // The process of esbuild would otherwise use 300 MB until the tests end.
  await stop()
  const hash = createHash('sha256')
  for (const file of outputFiles) hash.update(file.path).update(file.contents)
  const bundle = join(folder, hash.digest('hex').slice(0, 16))
  await mkdir(folder, { recursive: true })
  if (existsSync(bundle)) await utimes(bundle, new Date(), new Date())
  else {
    const made = await mkdtemp(join(folder, 'unfinished-'))
    await writeFile(join(made, 'oxbow.mjs'), start)
    for (const { path, contents } of outputFiles) await writeFile(join(made, basename(path)), contents)
    // If another run bundled the same sources meanwhile, its result is used.
    await rename(made, bundle).catch(() => rm(made, { recursive: true }))
  }
  await removeOldEntries(folder)
  return join(bundle, 'oxbow.mjs')
}
