import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { browserAliases } from '../bundle/aliases.ts'

export type BundleSize = { entry: number; lazy: { name: string; size: number }[] }

/**
 * Measures, in gzipped bytes, the code that a browser loads at once and each part that it loads
 * when a text needs it.
 */
export async function measureBundle(
  alias: { [module: string]: string } = browserAliases,
): Promise<BundleSize> {
  const { outputFiles, metafile } = await build({
    entryPoints: [new URL('../src/index.ts', import.meta.url).pathname],
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    target: 'es2024',
    charset: 'utf8',
    outdir: 'out',
    alias,
  })
  const outputs = Object.entries(metafile.outputs)
  const loadedAtOnce = new Set<string>()
  const follow = (name: string) => {
    if (loadedAtOnce.has(name)) return
    loadedAtOnce.add(name)
    for (const { path, kind } of metafile.outputs[name]?.imports ?? [])
      if (kind === 'import-statement') follow(path)
  }
  for (const [name, { entryPoint }] of outputs) if (entryPoint?.endsWith('src/index.ts')) follow(name)
  const sizes = new Map(
    outputFiles.map(({ path, contents }): [string, number] => [
      path.slice(path.lastIndexOf('out/')),
      gzipSync(contents, { level: 9 }).length,
    ]),
  )
  const entry = [...loadedAtOnce].reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0)
  const lazy = outputs
    .filter(([name]) => !loadedAtOnce.has(name))
    .map(([name, { entryPoint }]) => ({ name: entryPoint ?? name, size: sizes.get(name) ?? 0 }))
  return { entry, lazy }
}

if (import.meta.main) {
  const { entry, lazy } = await measureBundle()
  const fullSize = await measureBundle({})
  const largest = lazy.toSorted((a, b) => b.size - a.size).slice(0, 4)
  const lines = [
    `at once: ${entry} bytes gzipped (${fullSize.entry} without the aliases of bundle/)`,
    ...largest.map(({ name, size }) => `when needed: ${size} ${name}`),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}
