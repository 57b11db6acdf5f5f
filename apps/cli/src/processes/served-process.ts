import { EventEmitter } from 'node:events'
import type { Node, Peers } from '@oxbow/server'
import { numberVariable, type ToProcess, type ToSupervisor } from './messages.ts'

/** Without an answer of the supervisor for this long, only the metrics of this process are shown. */
const metricsTimeoutMs = 5_000

type StopRequest = Pick<Extract<ToProcess, { type: 'stop' }>, 'drainMs' | 'isReplaced'>

/** The connection of one process of `oxbow serve --processes` to its supervisor. */
export class ServedProcess implements Peers {
  readonly number: number
  readonly count: number
  readonly #broadcasts = new EventEmitter()
  readonly #metrics = new Map<number, (text: string) => void>()
  #questions = 0
  /** Stops the node. Before it serves requests, the process simply ends. */
  #stop: (options: StopRequest) => void = () => process.exit(0)
  /** Never rejects. */
  #readOwnMetrics: () => Promise<string> = async () => ''

  constructor() {
    const [number, count] = (process.env[numberVariable] ?? '').split('/').map(Number)
    this.number = number || 1
    this.count = count || 1
    // Processes that a node starts do not belong to the supervisor.
    delete process.env[numberVariable]
    process.on('message', (message: ToProcess) => this.#receive(message))
    // A terminal sends these to all processes; the supervisor decides what they mean.
    process.on('SIGINT', () => {})
    process.on('SIGHUP', () => {})
  }

  /** Reports that the node serves requests, and lets the supervisor stop it. */
  ready(node: Node, drainMs: number): void {
    const { metrics, log } = node.app
    this.#readOwnMetrics = () =>
      metrics.registry.metrics().catch((err: unknown) => {
        log.error({ err }, 'the metrics of this process cannot be read, and the scrape lacks them')
        return ''
      })
    this.#stop = ({ drainMs, isReplaced }) =>
      node.stop({ drainMs, isReplaced }).then(
        () => process.exit(0),
        () => process.exit(1),
      )
    process.on('SIGTERM', () => this.#stop({ drainMs, isReplaced: false }))
    this.#send({ type: 'ready', url: node.url })
  }

  broadcast(topic: string, content: unknown): void {
    this.#send({ type: 'broadcast', topic, content })
  }

  onBroadcast(topic: string, listener: (content: never) => void): void {
    this.#broadcasts.on(topic, listener as (content: unknown) => void)
  }

  readMetrics(): Promise<string> {
    const id = this.#questions++
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#metrics.delete(id)
        resolve(this.#readOwnMetrics())
      }, metricsTimeoutMs)
      this.#metrics.set(id, (text) => {
        clearTimeout(timer)
        resolve(text)
      })
      this.#send({ type: 'metrics wanted', id })
    })
  }

  #receive(message: ToProcess): void {
    switch (message.type) {
      case 'stop':
        this.#stop(message)
        return
      case 'broadcast':
        this.#broadcasts.emit(message.topic, message.content)
        return
      case 'metrics':
        this.#metrics.get(message.id)?.(message.text)
        this.#metrics.delete(message.id)
        return
      case 'metrics wanted':
        void this.#readOwnMetrics().then((text) => this.#send({ type: 'metrics', id: message.id, text }))
    }
  }

  #send(message: ToSupervisor): void {
    // The supervisor may have just ended; then this process ends too.
    if (process.connected) process.send?.(message, undefined, undefined, () => {})
  }
}
