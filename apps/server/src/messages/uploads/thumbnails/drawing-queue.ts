import type { UploadId, UserId } from '@oxbow/contract'
import { FairQueue, type FairQueueOptions } from '../../../platform/threads/fair-queue.ts'

/** A picture that is drawn once for all accounts that wait for it. */
interface Drawing {
  formats: Promise<string[]>
  hasBegun: boolean
  /** Accounts that wait for the picture. It is drawn when the queue reaches the first of them. */
  accounts: Set<UserId>
  begin(): Promise<unknown>
  refuse(reason: unknown): void
}

/**
 * Draws one picture at a time, alternating between accounts, so that an account with many pictures
 * does not delay others. A picture that several accounts wait for is drawn when the queue reaches
 * the first of them.
 */
export class DrawingQueue {
  readonly #queue: FairQueue
  readonly #drawings = new Map<UploadId, Drawing>()

  constructor(options: FairQueueOptions) {
    this.#queue = new FairQueue(options)
  }

  /** Number of pictures that are waiting or being drawn. */
  get size(): number {
    return this.#drawings.size
  }

  /**
   * Draws a picture and returns the formats that `draw` stored. Throws `QueueFullError` if too many
   * of the account's pictures are waiting, unless another account is waiting for this picture too.
   */
  async run(account: UserId, id: UploadId, draw: () => Promise<string[]>): Promise<string[]> {
    const drawing = this.#drawings.get(id) ?? this.#add(id, draw)
    if (!drawing.hasBegun && !drawing.accounts.has(account)) {
      drawing.accounts.add(account)
      this.#queue.run(account, drawing.begin).catch((error: unknown) => {
        drawing.accounts.delete(account)
        if (drawing.accounts.size === 0) drawing.refuse(error)
      })
    }
    return drawing.formats
  }

  close(): Promise<void> {
    return this.#queue.close()
  }

  #add(id: UploadId, draw: () => Promise<string[]>): Drawing {
    const { promise, resolve, reject } = Promise.withResolvers<string[]>()
    const drawing: Drawing = {
      formats: promise.finally(() => this.#drawings.delete(id)),
      hasBegun: false,
      accounts: new Set(),
      async begin() {
        if (drawing.hasBegun) return
        drawing.hasBegun = true
        await draw().then(resolve, reject)
      },
      refuse: reject,
    }
    this.#drawings.set(id, drawing)
    return drawing
  }
}
