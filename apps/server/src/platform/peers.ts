/**
 * The other processes that serve the same port of this machine (`oxbow serve --processes`). Each is a node.
 * They share limits and metrics, but nothing on which the correctness of responses depends.
 */
export interface Peers {
  /** The number of this process, from 1. A process that replaces another one takes its number. */
  readonly number: number
  /** The number of processes. */
  readonly count: number
  /** Sends JSON to all other processes. A process that is just starting or ending may miss it. */
  broadcast(topic: string, content: unknown): void
  /** Calls back for each broadcast of another process with this topic. */
  onBroadcast(topic: string, listener: (content: never) => void): void
  /** Returns the metrics of all processes in the text format of Prometheus. */
  readMetrics(): Promise<string>
}
