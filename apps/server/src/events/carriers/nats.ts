import { connect, type Msg, type NatsConnection } from '@nats-io/transport-node'
import type { OrganizationId } from '@oxbow/contract'
import type { Log } from '../../platform/log.ts'
import { SetupError } from '../../platform/operator-error.ts'
import type { Batch } from '../record.ts'
import type { Carrier, Receiver } from './carrier.ts'

/** Below the million bytes that a NATS server takes unless it is told otherwise. */
const largest = 900_000

/**
 * Carries the batches themselves, so that nodes need not read them; only a hint where one is too large. One NATS may
 * serve several databases: the log's own id is part of every subject.
 */
export class NatsCarrier implements Carrier {
  readonly #url: string
  readonly #prefix: string
  readonly #log: Log
  #connection: NatsConnection | undefined
  #isStopping = false

  constructor(url: string, logId: string, log: Log) {
    this.#url = url
    this.#prefix = `oxbow.${logId}`
    this.#log = log
  }

  async start(receiver: Receiver): Promise<void> {
    const nats = await connect({
      servers: this.#url,
      name: 'oxbow',
      reconnect: true,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 500,
      pingInterval: 5_000,
    }).catch((cause: Error) => {
      throw new SetupError(
        `NATS cannot be reached at ${withoutPassword(this.#url)}: ${cause.message}\nIs it running? NATS_URL says where to look; without it, PostgreSQL carries the events.`,
        { cause },
      )
    })
    this.#connection = nats
    nats.subscribe(`${this.#prefix}.events.*`, {
      callback: (error, message) => {
        if (!error) this.#hear(receiver, message)
      },
    })
    nats.subscribe(`${this.#prefix}.poke`, { callback: () => receiver.poke() })
    void this.#watch(nats, receiver)
  }

  /** Whatever goes wrong here is made good by reading from PostgreSQL; thrown, it would end the connection. */
  #hear(receiver: Receiver, message: Msg): void {
    try {
      hear(receiver, message)
    } catch (err) {
      this.#log.error({ err }, 'a message from NATS could not be taken')
    }
  }

  async #watch(nats: NatsConnection, receiver: Receiver): Promise<void> {
    for await (const { type } of nats.status()) {
      if (type === 'disconnect' && !this.#isStopping) {
        this.#log.warn('the connection to NATS broke; events are read from PostgreSQL until it is back')
      }
      // What was carried meanwhile did not reach us.
      if (type === 'reconnect') receiver.hint()
    }
  }

  announce(batches: readonly Batch[]): void {
    for (const { records, ...place } of batches) {
      const subject = `${this.#prefix}.events.${place.organization_id}`
      const head = JSON.stringify(place)
      const fits = records !== null && records.length < largest / 3
      this.#publish(
        subject,
        fits || (records && Buffer.byteLength(records) < largest) ? `${head}\n${records}` : head,
      )
    }
  }

  poke(): void {
    this.#publish(`${this.#prefix}.poke`, '')
  }

  /** While the server is away, what would be sent late is of no use to anyone. */
  #publish(subject: string, text: string): void {
    const nats = this.#connection
    if (!nats || nats.isClosed()) return
    try {
      nats.publish(subject, text)
    } catch {
      // A hint that is lost.
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#connection?.close()
  }
}

function hear(receiver: Receiver, message: Msg): void {
  const text = message.string()
  const end = text.indexOf('\n')
  const place = JSON.parse(end === -1 ? text : text.slice(0, end)) as Omit<Batch, 'records'>
  if (end === -1) receiver.hint(place.organization_id as OrganizationId, place.last_seq)
  else receiver.batches([{ ...place, records: text.slice(end + 1) }])
}

function withoutPassword(url: string): string {
  return url.replace(/\/\/[^@/]*@/, '//…@')
}
