import { createHash, createHmac } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Adapter, SourceFile } from '../model/source.ts'
import type { FileReason } from '../report/reasons.ts'
import { exportedOrganization } from './render.ts'

export interface FoundFile {
  size: number
  open: () => AsyncIterable<Buffer>
}

/** Finds the contents of files: in the archive, or in the cache of `oxbow import fetch`. */
export class FileSource {
  readonly #adapter: Adapter
  readonly #cache: string | undefined
  readonly #maxBytes: number

  constructor(adapter: Adapter, cache: string | undefined, maxBytes: number) {
    this.#adapter = adapter
    this.#cache = cache
    this.#maxBytes = maxBytes
  }

  async find(file: SourceFile): Promise<FoundFile | FileReason> {
    const { missing, path, url, id } = file
    if (missing) return missing
    const content = path === undefined ? undefined : this.#adapter.findFile(path)
    if ((content?.size ?? file.size ?? 0) > this.#maxBytes) return 'too_large'
    if (content) return { size: content.size, open: () => content.read() }
    if (url === undefined) return 'not_in_archive'
    if (this.#cache === undefined) return 'not_downloaded'
    const folder = cacheFolder(this.#cache, id)
    const meta = await readMeta(folder)
    if (!meta) return 'not_downloaded'
    if (meta.problem) return meta.problem
    return { size: meta.size, open: () => createReadStream(join(folder, 'body')) }
  }
}

/** The outcome of the download of a file. */
interface CacheMeta {
  size: number
  sha256: string
  type: string
  problem?: FileReason
}

/** The folder of a file in the cache. Its name is the id, because addresses contain tokens. */
const cacheFolder = (cache: string, id: string): string => {
  const digest = createHash('sha256').update(id).digest('hex')
  return join(cache, digest.slice(0, 2), digest)
}

async function readMeta(folder: string): Promise<CacheMeta | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, 'meta.json'), 'utf8'))
  } catch {
    return undefined
  }
}

/** Returns the path of an upload: equal in every run of one import, and impossible to guess for others. */
export function uploadPath(secret: Buffer, id: string, nameInPath: string): string {
  const digest = createHmac('sha256', secret).update(id).digest()
  const folder = digest.subarray(0, 1).toString('hex')
  return `${exportedOrganization}/${folder}/${digest.subarray(1, 19).toString('base64url')}/${nameInPath}`
}
