import { createHmac } from 'node:crypto'
import type { Adapter, SourceFile } from '../model/source.ts'
import type { FileReason } from '../report/reasons.ts'
import { exportedOrganization } from './render.ts'

export interface FoundFile {
  size: number
  open: () => AsyncIterable<Buffer>
}

/** Finds the contents of files in the archive. */
export class FileSource {
  readonly #adapter: Adapter
  readonly #maxBytes: number

  constructor(adapter: Adapter, maxBytes: number) {
    this.#adapter = adapter
    this.#maxBytes = maxBytes
  }

  find(file: SourceFile): FoundFile | FileReason {
    const { missing, path, url } = file
    if (missing) return missing
    const content = path === undefined ? undefined : this.#adapter.findFile(path)
    if ((content?.size ?? file.size ?? 0) > this.#maxBytes) return 'too_large'
    if (content) return { size: content.size, open: () => content.read() }
    return url === undefined ? 'not_in_archive' : 'not_downloaded'
  }
}

/** Returns the path of an upload: equal in every run of one import, and impossible to guess for others. */
export function uploadPath(secret: Buffer, id: string, nameInPath: string): string {
  const digest = createHmac('sha256', secret).update(id).digest()
  const folder = digest.subarray(0, 1).toString('hex')
  return `${exportedOrganization}/${folder}/${digest.subarray(1, 19).toString('base64url')}/${nameInPath}`
}
