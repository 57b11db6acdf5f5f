import type { App } from '../app.ts'
import { FailureLog, type FailureTexts } from '../observe/log.ts'
import { waitUntilJobsResume } from './jobs-hold.ts'

/**
 * Interval between queries for work that other nodes have not done, because they died or are busy.
 */
const pauseMs = 1_000
/**
 * Delay between a commit that adds work and claiming it, so that the response to the request goes out
 * first and the work of several requests is claimed together.
 */
const afterCommitMs = 50

export interface ClaimedWork<Item> {
  /** Number of items that this node works on at the same time. They mostly wait for other hosts. */
  maxConcurrent: number
  /** Claims items that no other node works on. */
  claim: (limit: number) => Promise<readonly Item[]>
  handle: (item: Item, stopping: AbortSignal) => Promise<void>
  failures: FailureTexts
}

export interface ClaimedWorkLoop {
  /** Looks for work at once. Without this call, new work would wait for the next periodic query. */
  wake(): void
  stop(): Promise<void>
}

/**
 * Does work that is stored in a table until stopped. Such work is not a job, because slow hosts would delay
 * other jobs such as e-mails, and every send would have to notify the job queue.
 */
export function startClaimedWork<Item>(
  app: App,
  { maxConcurrent, claim, handle, failures: texts }: ClaimedWork<Item>,
): ClaimedWorkLoop {
  const stop = new AbortController()
  // Outgoing requests are aborted as soon as the node stops.
  const stopping = AbortSignal.any([stop.signal, app.outbound.closing])
  const running = new Set<Promise<void>>()
  const failures = new FailureLog(app.log, texts)
  let wake = () => {}
  let hasNewWork = false
  const wakeLoop = () => {
    hasNewWork = true
    wake()
  }

  const begin = (item: Item) => {
    const work: Promise<void> = handle(item, stopping)
      .then(
        () => failures.succeeded(),
        (error: unknown) => stopping.aborted || failures.failed(error),
      )
      .then(() => {
        running.delete(work)
        wakeLoop()
      })
    running.add(work)
  }

  const pause = async () => {
    if (hasNewWork || stopping.aborted) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, pauseMs)
    wake = resolve
    await promise
    clearTimeout(timer)
  }

  const fail = (error: unknown): Item[] => {
    failures.failed(error)
    return []
  }

  const work = async () => {
    await waitUntilJobsResume(app, stopping)
    while (!stopping.aborted) {
      hasNewWork = false
      const free = maxConcurrent - running.size
      for (const item of free > 0 ? await claim(free).catch(fail) : []) begin(item)
      await pause()
    }
  }

  const done = work()
  let afterCommit: NodeJS.Timeout | undefined
  return {
    wake() {
      afterCommit ??= setTimeout(() => {
        afterCommit = undefined
        wakeLoop()
      }, afterCommitMs)
    },
    async stop() {
      stop.abort()
      clearTimeout(afterCommit)
      wake()
      await done
      await Promise.all(running)
    },
  }
}
