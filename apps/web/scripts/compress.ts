import { hash } from 'node:crypto'
import { globSync, statSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** A file in the manifest: its hash, and its size in bytes, uncompressed and compressed. */
export interface BuiltFile {
  hash: string
  size: number
  br?: number
  gzip?: number
}

const isText = /\.(html|js|css|svg|json|webmanifest)$/

/** Writes `.br` and `.gz` copies beside each text file below a directory. Returns all files by path. */
export async function compressFiles(directory: string): Promise<Record<string, BuiltFile>> {
  const paths = globSync('**/*', { cwd: directory })
    .filter((path) => statSync(join(directory, path)).isFile())
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
  const entries = await Promise.all(
    paths.map(async (path) => [path, await compressFile(join(directory, path))] as const),
  )
  return Object.fromEntries(entries)
}

async function compressFile(path: string): Promise<BuiltFile> {
  const content = await readFile(path)
  const file: BuiltFile = { hash: hash('sha256', content).slice(0, 16), size: content.length }
  if (!isText.test(path)) return file
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
  const br = await promisify(brotliCompress)(content, { params })
  const gz = await promisify(gzip)(content, { level: 9 })
  await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)])
  return { ...file, br: br.length, gzip: gz.length }
}
