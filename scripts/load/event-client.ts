import type { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { formatRequest, openSocket, ResponseParser } from './http-connection.ts'

export type Reception = 'stream' | 'poll'

export interface EventClientOptions {
  port: number
  authorization: string
  reception: Reception
  queue_id: string
  cursor: number
  /** Called with the number in a message that arrived, in the order of arrival. */
  onMessage: (number: number) => void
  /** Called if an event id is not higher than the one before, or the queue does not exist. */
  onFault: (fault: 'order' | 'dead') => void
}

/** How long a client waits before it connects again, at most. */
const maxPauseMs = 500

/** Marks the number of a message in its text: `~~17~`. */
export const markNumber = (number: number): string => `~~${number}~`

/** Follows one queue by an event stream or by polls. It connects again whenever the connection breaks. */
export class EventClient {
  readonly #options: EventClientOptions
  #cursor: number
  #socket: Socket | undefined
  #isClosed = false
  /** Called when the client has received all events of its queue. */
  #caughtUp: (() => void) | undefined

  constructor(options: EventClientOptions) {
    this.#options = options
    this.#cursor = options.cursor
    this.#connect()
  }

  /** Breaks the connection, and connects again with the same queue. */
  reconnect(): void {
    this.#socket?.destroy()
  }

  /** Connects again, and resolves when all events up to now have arrived. */
  catchUp(): Promise<void> {
    if (this.#isClosed) return Promise.resolve()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#caughtUp = resolve
    this.reconnect()
    return promise
  }

  close(): void {
    this.#isClosed = true
    this.#socket?.destroy()
    this.#caughtUp?.()
  }

  #connect(): void {
    if (this.#isClosed) return
    const receive = this.#options.reception === 'stream' ? this.#readStream() : this.#readPolls()
    this.#socket = openSocket(this.#options.port, {
      onText: receive,
      onEnd: async () => {
        await setTimeout(Math.random() * maxPauseMs)
        this.#connect()
      },
    })
    this.#request()
  }

  #request(): void {
    const { authorization, reception, queue_id } = this.#options
    const blocking = this.#caughtUp ? '&dont_block=true' : ''
    const path = `/events?queue_id=${queue_id}&last_event_id=${this.#cursor}${reception === 'poll' ? blocking : ''}`
    const headers: Record<string, string> = reception === 'stream' ? { Accept: 'text/event-stream' } : {}
    this.#socket?.write(formatRequest(authorization, { method: 'GET', path, headers }))
  }

  /** Reads the frames of an event stream. The server writes each as one chunk, so they stay whole. */
  #readStream(): (text: string) => void {
    let rest = ''
    let isOpen = false
    return (text) => {
      rest += text
      if (!isOpen) {
        const end = rest.indexOf('\r\n\r\n')
        if (end < 0) return
        if (!rest.startsWith('HTTP/1.1 200')) return this.#refused(rest)
        // Headers may look like fields of a frame.
        rest = rest.slice(end + 4)
        isOpen = true
      }
      let begin = 0
      for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n', begin)) {
        this.#readFrame(rest, begin, end)
        begin = end + 2
      }
      rest = rest.slice(begin)
    }
  }

  #readFrame(text: string, begin: number, end: number): void {
    const idAt = text.indexOf('id: ', begin)
    const dataAt = text.indexOf('\ndata: ', begin)
    if (idAt < 0 || idAt > end) return
    const id = Number.parseInt(text.slice(idAt + 4, idAt + 24), 10)
    if (dataAt >= 0 && dataAt < end) {
      if (id <= this.#cursor) this.#options.onFault('order')
      this.#readMessage(text, dataAt, end)
    } else this.#endCatchUp()
    this.#cursor = Math.max(this.#cursor, id)
  }

  #readPolls(): (text: string) => void {
    const parser = new ResponseParser()
    return (text) => {
      const answer = parser.push(text)
      if (!answer) return
      if (answer.status !== 200) return this.#refused(answer.body)
      const { events } = JSON.parse(answer.body) as { events: { id: number; type: string }[] }
      if (events.length === 0) this.#endCatchUp()
      for (const event of events) {
        if (event.type !== 'heartbeat' && event.id <= this.#cursor) this.#options.onFault('order')
        this.#cursor = Math.max(this.#cursor, event.id)
        if (event.type !== 'message') continue
        const json = JSON.stringify(event)
        this.#readMessage(json, 0, json.length)
      }
      this.#request()
    }
  }

  #readMessage(text: string, begin: number, end: number): void {
    const typeAt = text.indexOf('"type":"message"', begin)
    if (typeAt < 0 || typeAt > end) return
    const markAt = text.indexOf('~~', begin)
    if (markAt >= 0 && markAt < end)
      this.#options.onMessage(Number.parseInt(text.slice(markAt + 2, markAt + 12), 10))
  }

  #endCatchUp(): void {
    this.#caughtUp?.()
    this.#caughtUp = undefined
  }

  #refused(response: string): void {
    if (response.includes('BAD_EVENT_QUEUE_ID')) {
      this.#options.onFault('dead')
      this.close()
    } else this.#socket?.destroy()
  }
}
