import type { Worker } from 'node:cluster'

/** Sent by a process to its supervisor. */
export type ToSupervisor =
  | { type: 'ready'; url: string }
  | { type: 'broadcast'; topic: string; content: unknown }
  | { type: 'metrics wanted'; id: number }
  | { type: 'metrics'; id: number; text: string }

/** Sent by the supervisor to a process. */
export type ToProcess =
  | { type: 'stop'; drainMs: number; isReplaced: boolean }
  | { type: 'broadcast'; topic: string; content: unknown }
  /** Asks for the metrics of this process alone. */
  | { type: 'metrics wanted'; id: number }
  /** The metrics of all processes. */
  | { type: 'metrics'; id: number; text: string }

/** Variable of a process with its number and the number of all processes, such as `2/4`. */
export const numberVariable = 'PROCESS_OF_OXBOW'

/** Sends a message to a process. Calls `onFailure` if the process has ended or is just ending. */
export function send(worker: Worker, message: ToProcess, onFailure = () => {}): void {
  // Without a callback, a failure would be emitted as an `error` of the worker.
  const onSent = (error: Error | null) => {
    if (error) onFailure()
  }
  if (worker.isConnected()) worker.send(message, onSent)
  else onFailure()
}
