import type { Worker } from 'node:cluster'

interface Handle {
  close(): void
}

/**
 * Closes the connections that a process was given but had not accepted when it died. `node:cluster` would
 * keep them open, and their clients would wait for an answer that nobody sends.
 */
export function closeLostConnections(worker: Worker): void {
  // For each listening socket, one connection at a time is on its way to a process.
  const onTheWay = new Map<unknown, Handle>()
  const child = worker.process
  const send = child.send as (...parts: unknown[]) => boolean
  child.send = (...parts: unknown[]): boolean => {
    const [message, handle] = parts as [{ act?: string; key?: unknown } | undefined, Handle | undefined]
    if (message?.act === 'newconn' && handle) onTheWay.set(message.key, handle)
    return send.apply(child, parts)
  }
  worker.once('exit', () => {
    // Accepted connections are already closed here, and closing them again has no effect.
    for (const handle of onTheWay.values()) handle.close()
  })
}
