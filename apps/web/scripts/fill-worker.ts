import { hash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Writes the files of a build into its service worker. A change of any file changes the worker, which is an update. */
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
