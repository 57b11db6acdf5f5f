import type { UploadId, UserId } from '@oxbow/contract'
import { FairQueue, type FairQueueOptions } from '../../platform/fair-queue.ts'

/** A picture that is drawn once, for all accounts that wait for it. */
interface Drawing {
  formats: Promise<string[]>
  hasBegun: boolean
  /** Accounts in whose turn it may begin. */
  accounts: Set<UserId>
  begin(): Promise<unknown>
  refuse(reason: unknown): void
}

/**
 * Draws one picture at a time and takes the accounts in turn. A picture that several accounts wait
 * for begins in the turn of the first of them, so an account with many pictures does not delay others.
 */
export class DrawingQueue {
  readonly #queue: FairQueue
  readonly #drawings = new Map<UploadId, Drawing>()

  constructor(options: FairQueueOptions) {
    this.#queue = new FairQueue(options)
  }

  /** Pictures that wait or are being drawn. */
  get size(): number {
    return this.#drawings.size
  }

  /**
   * Returns the formats that `draw` stored. Throws `QueueFullError` if the account has too many
   * pictures that wait, unless another account waits for this one too.
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
