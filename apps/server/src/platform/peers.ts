/**
 * The other processes that serve the same port of this machine (`oxbow serve --processes`). Each is a node.
 * They share limits and metrics, and nothing that a request needs to be answered correctly.
 */
export interface Peers {
  /** The number of this process, from 1. A process that replaces another one has its number. */
  readonly number: number
  /** The number of processes. */
  readonly count: number
  /** Sends JSON to all other processes. It is lost for a process that just starts or ends. */
  broadcast(topic: string, content: unknown): void
  /** Calls back for each broadcast of another process with this topic. */
  onBroadcast(topic: string, listener: (content: never) => void): void
  /** Returns the metrics of all processes in the text format of Prometheus. */
  readMetrics(): Promise<string>
}
