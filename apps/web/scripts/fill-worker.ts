import { hash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Writes the list of a build's files into its service worker. If any file changes, the worker changes too,
 * and browsers install the new build.
 */
export async function fillWorker(outDir: string): Promise<void> {
  const html = await readFile(join(outDir, 'index.html'), 'utf8')
  const assets = (await readdir(join(outDir, 'assets'))).map((name) => `/assets/${name}`).sort()
  const shell = ['/', ...assets.filter((path) => html.includes(path))]
  const others = assets.filter((path) => !html.includes(path))
  const build = hash('sha256', JSON.stringify([html, assets])).slice(0, 16)
  const path = join(outDir, 'sw.js')
  const worker = await readFile(path, 'utf8')
  const filled = worker
    .replace("const shell = ['/']", `const shell = ${JSON.stringify(shell)}`)
    .replace('const others = []', `const others = ${JSON.stringify(others)}`)
    .replace("const build = 'none'", `const build = '${build}'`)
  await writeFile(path, filled)
}
