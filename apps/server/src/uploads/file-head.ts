import { imageType } from '../platform/images/image-type.ts'
import { pictureHeadLength } from '../platform/images/picture-header.ts'
import { headLength } from './content-type.ts'

/**
 * Collects the first bytes of a file during its upload. Collects more of a picture, because its
 * header may be long.
 */
export class FileHead {
  #chunks: Buffer[] = []
  #length = 0
  #wanted = headLength

  add(chunk: Buffer): void {
    if (this.#length >= this.#wanted) return
    const part = chunk.subarray(0, pictureHeadLength - this.#length)
    this.#chunks.push(part)
    this.#length += part.length
    if (this.#wanted === headLength && imageType(this.read())) this.#wanted = pictureHeadLength
  }

  read(): Buffer {
    const head = Buffer.concat(this.#chunks)
    this.#chunks = [head]
    return head
  }
}
