import { retryAfterOf } from '../request.ts'

export interface Patience {
  /** The longest wait after the first failure, in milliseconds; it doubles with each that follows. */
  first: number
  /** No wait is longer, unless the server asks for more. */
  longest: number
}

/** The waits between attempts: longer each time, and never the same for two clients that failed at the same moment. */
export class Pause {
  readonly #patience: Patience
  #failures = 0

  constructor(patience: Patience) {
    this.#patience = patience
  }

  /** Something worked: the next failure is the first again. */
  reset(): void {
    this.#failures = 0
  }

  /** How long to wait after one more failure. */
  next(error?: unknown): number {
    const { first, longest } = this.#patience
    const wait = Math.min(longest, first * 2 ** this.#failures++) * (0.5 + Math.random() / 2)
    const asked = retryAfterOf(error)
    return asked === undefined ? wait : Math.max(wait, asked + Math.random() * first)
  }
}

/** Resolves after the time, or as soon as the signal is aborted, and leaves nothing behind. */
export function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (signal.aborted) return Promise.resolve()
  const timer = setTimeout(resolve, milliseconds)
  const leave = () => resolve()
  signal.addEventListener('abort', leave)
  return promise.finally(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', leave)
  })
}
