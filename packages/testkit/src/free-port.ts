import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Ports below those that systems give to outgoing connections and to listeners on port 0. */
const [minPort, maxPort] = [20_000, 32_767]
const maxAttempts = 100
/**
 * Number of parts of the ports. Test processes mostly choose from different parts, because a port that one has chosen
 * is free until its program listens.
 */
const partCount = 16
const partSize = Math.floor((maxPort - minPort + 1) / partCount)
const firstPort = minPort + (process.pid % partCount) * partSize
/** Ports that this process has chosen, which need not be in use yet. */
const chosen = new Set<number>()

/** Finds a free port, for programs that do not accept port 0 or must restart on the same port. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const port = randomInt(firstPort, firstPort + partSize)
    if (chosen.has(port) || !(await canListen(port))) continue
    chosen.add(port)
    return port
  }
  throw new Error(
    `found no free port from ${firstPort} to ${firstPort + partSize - 1} in ${maxAttempts} attempts`,
  )
}

async function canListen(port: number): Promise<boolean> {
  const listener = createServer()
  const isListening = await new Promise<boolean>((resolve) => {
    listener.once('error', () => resolve(false))
    listener.listen(port, '127.0.0.1', () => resolve(true))
  })
  if (isListening) await new Promise((resolve) => listener.close(resolve))
  return isListening
}
