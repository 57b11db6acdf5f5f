import { setTimeout } from 'node:timers/promises'
import { type Account, request } from '@oxbow/testkit'

/** Pause of a sender after each message, so that the sends are not limited by the processors. */
const pauseMs = 50

export interface Sending {
  /** Ids of the messages that were acknowledged. */
  ids: readonly number[]
  /** Milliseconds that each send took. */
  latencies: readonly number[]
}

/** Lets each of these accounts send private messages to itself until `stop`. */
export function startSending(url: string, senders: readonly Account[]): { stop(): Promise<Sending> } {
  let isStopped = false
  const ids: number[] = []
  const latencies: number[] = []
  const loops = senders.map(async (sender) => {
    while (!isStopped) {
      const began = performance.now()
      const { status, body, text } = await request(url, {
        method: 'POST',
        path: '/api/v1/messages',
        credentials: sender,
        form: { type: 'private', to: JSON.stringify([sender.email]), content: 'Sent meanwhile.' },
      })
      if (status !== 200) throw new Error(`a message was refused: ${text}`)
      latencies.push(performance.now() - began)
      ids.push(Number(body.id))
      await setTimeout(pauseMs)
    }
  })
  return {
    async stop() {
      isStopped = true
      await Promise.all(loops)
      return { ids, latencies }
    },
  }
}
