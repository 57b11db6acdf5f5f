import { hash } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { build } from 'vite'
import { compressFiles } from './compress.ts'
import { fillWorker } from './fill-worker.ts'
import { viteOptions } from './vite-options.ts'

/**
 * Builds the client into a directory, which it empties first. Writes `index.html`, assets with hashed
 * names, and compressed copies. Writes `manifest.json` last, so a directory with a manifest is complete.
 */
export async function buildClient(outDir: string): Promise<void> {
  await rm(outDir, { recursive: true, force: true })
  await mkdir(dirname(outDir), { recursive: true })
  await build({ ...viteOptions, logLevel: 'warn', build: { ...viteOptions.build, outDir } })
  await nameByHash(outDir, 'theme.js')
  await fillWorker(outDir)
  const files = await compressFiles(outDir)
  const build_id = hash('sha256', JSON.stringify(files)).slice(0, 16)
  await writeFile(
    join(outDir, 'manifest.json'),
    `${JSON.stringify({ build: build_id, files }, undefined, 1)}\n`,
  )
}

/** Moves a render-blocking script into the assets, under a name that contains its hash. */
async function nameByHash(outDir: string, file: string): Promise<void> {
  const path = join(outDir, file)
  const name = `assets/${file.replace('.js', '')}-${hash('sha256', await readFile(path)).slice(0, 8)}.js`
  await rename(path, join(outDir, name))
  const document = join(outDir, 'index.html')
  const html = await readFile(document, 'utf8')
  await writeFile(document, html.replace(`src="/${file}"`, `src="/${name}"`))
}
