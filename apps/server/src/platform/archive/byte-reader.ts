/** Reads a byte stream piece by piece, with memory for one chunk of the stream and one piece. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)
  /** Number of bytes read so far. */
  position = 0

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /** Reads exactly `size` bytes, or fewer at the end of the stream. */
  async read(size: number): Promise<Buffer> {
    const pieces: Buffer[] = []
    for await (const piece of this.pieces(size)) pieces.push(piece)
    return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces)
  }

  /** Yields the next `size` bytes as they arrive, or fewer at the end of the stream. */
  async *pieces(size: number): AsyncGenerator<Buffer> {
    for (let remaining = size; remaining > 0; ) {
      if (this.#rest.length === 0) {
        const { value, done } = await this.#chunks.next()
        if (done) return
        this.#rest = value
      }
      const piece = this.#rest.subarray(0, remaining)
      this.#rest = this.#rest.subarray(piece.length)
      this.position += piece.length
      remaining -= piece.length
      yield piece
    }
  }

  async close(): Promise<void> {
    await this.#chunks.return?.()
  }
}
