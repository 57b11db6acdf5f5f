import { setTimeout } from 'node:timers/promises'
import type { Account } from './account.ts'
import { callOverPool, isUnexplainedError } from './call-over-pool.ts'
import { basic } from './http.ts'
import type { Recipient } from './recipients.ts'

/** A message to be sent, with as many attempts as necessary. */
export interface Send {
  recipient: Recipient
  sender: Account
  key: string
  /** Unique among all messages of the fleet. */
  content: string
  attempts: number
  acknowledgements: Acknowledgement[]
}

export interface Acknowledgement {
  /** Id of the message in the response. */
  id: number
  /** Times of the request and of its response, in milliseconds of `performance.now`. */
  askedAt: number
  respondedAt: number
}

export interface SendersOptions {
  urls: readonly string[]
  recipients: readonly Recipient[]
  /** Number of messages per second on all nodes together. 0 for none. */
  perSecond: number
  /** All sends are added to this list, which may already contain those of earlier senders. */
  sends: Send[]
}

export interface Senders {
  /** Error responses that no injected fault explains. */
  readonly unexplainedErrors: string[]
  /** Waits until every started send is acknowledged, for at most `stopTimeoutMs`. */
  stop(): Promise<void>
}

const timeoutMs = 3_000
const stopTimeoutMs = 90_000
const maxConcurrentSends = 50

/**
 * Sends messages continuously, each with its own idempotency key, and retries each on the next node
 * until it is acknowledged. Some are sent twice although nothing failed, as by clients that lost a
 * response or timed out.
 */
export function startSenders({ urls, recipients, perSecond, sends }: SendersOptions): Senders {
  const unexplainedErrors: string[] = []
  let giveUpAt = Number.POSITIVE_INFINITY
  let stopped = false

  function createSend(): Send {
    const number = sends.length + 1
    const recipient = recipients[number % recipients.length] as Recipient
    const { members } = recipient
    const send: Send = {
      recipient,
      sender: members[Math.floor(number / recipients.length) % members.length] as Account,
      key: `fleet-${number}`,
      content: `Send ${number} of the fleet${number % 7 === 0 ? ', @**all**' : ''}`,
      attempts: 0,
      acknowledgements: [],
    }
    sends.push(send)
    return send
  }

  async function attempt(send: Send, nodeIndex: number, abortAfterMs?: number): Promise<boolean> {
    const { sender, recipient, key, content } = send
    const sendRequest = {
      method: 'POST',
      path: '/api/v1/messages',
      authorization: basic(sender),
      // The server marks messages from this client as read by their sender.
      headers: { 'idempotency-key': key, 'user-agent': 'website' },
      form: { ...recipient.form, content },
      timeoutMs,
    }
    send.attempts++
    const askedAt = performance.now()
    const response = await callOverPool(urls[nodeIndex % urls.length] as string, sendRequest, (sent) => {
      if (abortAfterMs !== undefined) setTimeout(abortAfterMs).then(() => sent.destroy())
    }).catch(() => undefined)
    const id = response?.body.id
    if (response && (isUnexplainedError(response) || (response.status === 200 && typeof id !== 'number')))
      unexplainedErrors.push(`${content}: ${response.status} ${JSON.stringify(response.body)}`)
    if (response?.status !== 200) return false
    send.acknowledgements.push({ id: id as number, askedAt, respondedAt: performance.now() })
    return true
  }

  async function sendUntilAcknowledged(send: Send, first: number): Promise<void> {
    for (let nodeIndex = first; performance.now() < giveUpAt; nodeIndex++) {
      if (await attempt(send, nodeIndex)) return
      await setTimeout(50 + Math.random() * 100)
    }
  }

  const sendingPatterns = [
    (send: Send, nodeIndex: number) => sendUntilAcknowledged(send, nodeIndex),
    async (send: Send, nodeIndex: number) => {
      await attempt(send, nodeIndex, Math.random() * 20)
      await sendUntilAcknowledged(send, nodeIndex + 1)
    },
    (send: Send, nodeIndex: number) =>
      Promise.all([sendUntilAcknowledged(send, nodeIndex), sendUntilAcknowledged(send, nodeIndex + 1)]),
    async (send: Send, nodeIndex: number) => {
      await sendUntilAcknowledged(send, nodeIndex)
      await setTimeout(Math.random() * 1000)
      await sendUntilAcknowledged(send, nodeIndex + 1)
    },
  ]

  async function run(): Promise<void> {
    const inProgress = new Set<Promise<unknown>>()
    while (!stopped) {
      await setTimeout(1000 / perSecond)
      if (inProgress.size >= maxConcurrentSends || stopped) continue
      const send = createSend()
      const sendInPattern = sendingPatterns[
        Math.floor(Math.random() * sendingPatterns.length)
      ] as (typeof sendingPatterns)[0]
      const work = sendInPattern(send, sends.length)
      inProgress.add(work)
      work.finally(() => inProgress.delete(work))
    }
    await Promise.all(inProgress)
  }

  const running = perSecond > 0 ? run() : undefined
  return {
    unexplainedErrors,
    async stop() {
      stopped = true
      giveUpAt = performance.now() + stopTimeoutMs
      await running
    },
  }
}
