import type { Config } from '../config/settings.ts'
import { Semaphore } from '../semaphore.ts'
import { AddressRules } from './address-rules.ts'
import { KeyedSemaphore } from './keyed-semaphore.ts'
import { OutwardRefusal, type OutwardRefusalReason } from './outward-refusal.ts'
import { makeResolveHost, type ResolveHost } from './resolve-host.ts'

/** Requests that one node makes at the same time: in all, to one host, and to one address. */
const maxConcurrent = 32
const maxConcurrentPerHost = 6
/** Further requests to the same host or address wait; more than these are refused. */
const maxWaitingPerHost = 60
/** Requests that run or wait, in all. */
const maxPending = 500

export interface OutwardOptions {
  /** Asks the name servers of the machine by default. */
  resolveHost?: ResolveHost | undefined
  /** Called at the end of each request. */
  countOutcome?: (outcome: 'answered' | OutwardRefusalReason) => void
}

/** Rules, resolver and limits that the outward requests of a node share. */
export class Outward {
  readonly rules: AddressRules
  readonly resolveHost: ResolveHost
  readonly countOutcome: NonNullable<OutwardOptions['countOutcome']>
  readonly #hosts = new KeyedSemaphore({
    maxConcurrent: maxConcurrentPerHost,
    maxWaiting: maxWaitingPerHost,
  })
  readonly #networks = new KeyedSemaphore({
    maxConcurrent: maxConcurrentPerHost,
    maxWaiting: maxWaitingPerHost,
  })
  readonly #all = new Semaphore({ maxConcurrent })
  readonly #closing = new AbortController()
  readonly #pending = new Set<Promise<unknown>>()

  constructor(
    config: Pick<Config, 'outward_allowed_networks'>,
    { resolveHost = makeResolveHost(), countOutcome = () => {} }: OutwardOptions = {},
  ) {
    this.rules = new AddressRules(config.outward_allowed_networks)
    this.resolveHost = resolveHost
    this.countOutcome = countOutcome
  }

  /** Aborted when the node stops. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  get pendingRequests(): number {
    return this.#pending.size
  }

  /** Counts a request while it runs or waits. */
  async track<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#pending.size >= maxPending) throw new OutwardRefusal('busy')
    const running = work()
    this.#pending.add(running)
    try {
      return await running
    } finally {
      this.#pending.delete(running)
    }
  }

  /** Runs work that a host can slow down, such as resolving its name. */
  runForHost<Result>(hostname: string, work: () => Promise<Result>): Promise<Result> {
    return this.#hosts.run(hostname, work)
  }

  /** Runs a request to a network when one of its slots and one of all slots are free. */
  runForNetwork<Result>(network: string, work: () => Promise<Result>): Promise<Result> {
    return this.#networks.run(network, () => this.#all.run(work))
  }

  /** Aborts all requests and waits until they have ended. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.allSettled(this.#pending)
  }
}
