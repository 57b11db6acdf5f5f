import type { Config } from '../config/settings.ts'
import type { Tracing } from '../observe/tracing/tracing.ts'
import { Semaphore } from '../semaphore.ts'
import { AddressRules } from './address-rules.ts'
import { KeyedSemaphore } from './keyed-semaphore.ts'
import { OutboundRefusal, type OutboundRefusalReason } from './outbound-refusal.ts'
import { makeResolveHost, type ResolveHost } from './resolve-host.ts'

/**
 * Maximum numbers of requests that one node makes at the same time: in total, to one host, and to one
 * address.
 */
const maxConcurrent = 32
const maxConcurrentPerHost = 6
/** Maximum number of further requests that wait for the same host or address; others are refused. */
const maxWaitingPerHost = 60
/** Maximum number of requests that run or wait. */
const maxPending = 500

export interface OutboundOptions {
  /** Resolves host names. The default uses the name servers of the machine. */
  resolveHost?: ResolveHost | undefined
  /** Called with the outcome of each request. */
  countOutcome?: (outcome: 'answered' | OutboundRefusalReason) => void
  tracing?: Tracing | undefined
}

/** Rules, resolver and limits that the outbound requests of a node share. */
export class Outbound {
  readonly rules: AddressRules
  readonly resolveHost: ResolveHost
  readonly countOutcome: NonNullable<OutboundOptions['countOutcome']>
  readonly tracing: Tracing | undefined
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
    { resolveHost = makeResolveHost(), countOutcome = () => {}, tracing }: OutboundOptions = {},
  ) {
    this.rules = new AddressRules(config.outward_allowed_networks)
    this.resolveHost = resolveHost
    this.countOutcome = countOutcome
    this.tracing = tracing
  }

  /** A signal that aborts when the node stops. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  get pendingRequests(): number {
    return this.#pending.size
  }

  /** Counts a request while it runs or waits, and refuses it if there are too many. */
  async track<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#pending.size >= maxPending) throw new OutboundRefusal('busy')
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

  /**
   * Runs a request to a network as soon as both one of the network's slots and one of the node's slots are
   * free.
   */
  runForNetwork<Result>(network: string, work: () => Promise<Result>): Promise<Result> {
    return this.#networks.run(network, () => this.#all.run(work))
  }

  /** Aborts all requests and waits until they have ended. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.allSettled(this.#pending)
  }
}
