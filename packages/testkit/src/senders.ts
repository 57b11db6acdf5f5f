import { setTimeout } from 'node:timers/promises'
import type { Account } from './account.ts'
import { basic } from './http.ts'
import { call, isSurprise } from './keep-alive-call.ts'
import type { Recipient } from './recipients.ts'

/** A message that someone wants to be sent, however often it has to be asked for. */
export interface Send {
  recipient: Recipient
  sender: Account
  key: string
  /** No other message has it. */
  content: string
  attempts: number
  acknowledgements: Acknowledgement[]
}

export interface Acknowledgement {
  /** Of the message, as this attempt was told. */
  id: number
  /** When it was asked for and when it was answered, as of `performance.now`. */
  askedAt: number
  answeredAt: number
}

export interface SendersOptions {
  urls: readonly string[]
  recipients: readonly Recipient[]
  /** On all nodes together; 0 for none. */
  perSecond: number
  /** Where they are written down, beside earlier ones. */
  sends: Send[]
}

export interface Senders {
  /** Answers that no fault explains. */
  readonly surprises: string[]
  /** Returns when everything under way was acknowledged, or is not although nothing stands in its way for long. */
  stop(): Promise<void>
}

const patience = 3_000
const patienceAfterStop = 20_000
const mostUnderWay = 50

/**
 * Sends messages all the time, each with a key of its own, and asks for each on one node after the other until it is
 * acknowledged. Some ask twice although nothing is wrong, as clients do that lost an answer, or lost their patience.
 */
export function startSenders({ urls, recipients, perSecond, sends }: SendersOptions): Senders {
  const surprises: string[] = []
  let giveUpAt = Number.POSITIVE_INFINITY
  let stopped = false

  function begin(): Send {
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

  async function attempt(send: Send, place: number, breakOffAfter?: number): Promise<boolean> {
    const { sender, recipient, key, content } = send
    const given = {
      method: 'POST',
      path: '/api/v1/messages',
      authorization: basic(sender),
      // Of this one the server says that its user has read what they wrote.
      headers: { 'idempotency-key': key, 'user-agent': 'website' },
      form: { ...recipient.form, content },
      patience,
    }
    send.attempts++
    const askedAt = performance.now()
    const answer = await call(urls[place % urls.length] as string, given, (sent) => {
      if (breakOffAfter !== undefined) setTimeout(breakOffAfter).then(() => sent.destroy())
    }).catch(() => undefined)
    const id = answer?.body.id
    if (answer && (isSurprise(answer) || (answer.status === 200 && typeof id !== 'number')))
      surprises.push(`${content}: ${answer.status} ${JSON.stringify(answer.body)}`)
    if (answer?.status !== 200) return false
    send.acknowledgements.push({ id: id as number, askedAt, answeredAt: performance.now() })
    return true
  }

  async function insist(send: Send, first: number): Promise<void> {
    for (let place = first; performance.now() < giveUpAt; place++) {
      if (await attempt(send, place)) return
      await setTimeout(50 + Math.random() * 100)
    }
  }

  const manners = [
    (send: Send, place: number) => insist(send, place),
    async (send: Send, place: number) => {
      await attempt(send, place, Math.random() * 20)
      await insist(send, place + 1)
    },
    (send: Send, place: number) => Promise.all([insist(send, place), insist(send, place + 1)]),
    async (send: Send, place: number) => {
      await insist(send, place)
      await setTimeout(Math.random() * 1000)
      await insist(send, place + 1)
    },
  ]

  async function run(): Promise<void> {
    const underWay = new Set<Promise<unknown>>()
    while (!stopped) {
      await setTimeout(1000 / perSecond)
      if (underWay.size >= mostUnderWay || stopped) continue
      const send = begin()
      const manner = manners[Math.floor(Math.random() * manners.length)] as (typeof manners)[0]
      const work = manner(send, sends.length)
      underWay.add(work)
      work.finally(() => underWay.delete(work))
    }
    await Promise.all(underWay)
  }

  const running = perSecond > 0 ? run() : undefined
  return {
    surprises,
    async stop() {
      stopped = true
      giveUpAt = performance.now() + patienceAfterStop
      await running
    },
  }
}
