import { timingSafeEqual } from 'node:crypto'
import { connect, headers, type Msg, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node'
import type { OrganizationId } from '@oxbow/contract'
import type { Log } from '../../platform/observe/log.ts'
import { FailureLog } from '../../platform/observe/log.ts'
import { SetupError } from '../../platform/operator-error.ts'
import type { Batch } from '../record.ts'
import type { Carrier, Receiver } from './carrier.ts'

/** Stays below the default message limit of a NATS server, which is 1 MiB. */
const maxMessageBytes = 900_000
const signatureHeader = 'oxbow-signature'

/**
 * Publishes whole batches, so that nodes need not read them from PostgreSQL. A batch that is too large is
 * replaced by a hint. The log's id is part of every subject, so that several databases can share one NATS
 * server. Batches are signed with the secret of the server: a program that reaches the NATS server could
 * otherwise show messages that nobody sent, and grant or hide access.
 */
export class NatsCarrier implements Carrier {
  readonly #url: string
  readonly #prefix: string
  readonly #log: Log
  readonly #hash: (text: string) => Buffer
  readonly #failures: FailureLog
  #connection: NatsConnection | undefined
  #isStopping = false

  /** `hash` returns a keyed hash, with the same key on all nodes. */
  constructor(url: string, logId: string, { log, hash }: { log: Log; hash: (text: string) => Buffer }) {
    this.#url = url
    this.#prefix = `oxbow.${logId}`
    this.#log = log
    this.#hash = hash
    this.#failures = new FailureLog(log, {
      failed:
        'events from NATS are not signed by a node of this server; they are read from PostgreSQL instead',
      recovered: 'events from NATS are signed again',
      quietMs: 60_000,
    })
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
        `NATS cannot be reached at ${withoutPassword(this.#url)}: ${cause.message}\nCheck NATS_URL, or unset it to send events through PostgreSQL.`,
        { cause },
      )
    })
    this.#connection = nats
    nats.subscribe(`${this.#prefix}.events.*`, {
      callback: (error, message) => {
        if (!error) this.#receive(receiver, message)
      },
    })
    nats.subscribe(`${this.#prefix}.poke`, { callback: () => receiver.onPoke() })
    void this.#watch(nats, receiver)
  }

  /**
   * Handles a message. Logs errors instead of throwing them, because a thrown error would end the connection,
   * while a lost batch can be read from PostgreSQL.
   */
  #receive(receiver: Receiver, message: Msg): void {
    try {
      this.#receiveMessage(receiver, message)
    } catch (err) {
      this.#log.error(
        { err },
        'a message from NATS could not be processed; its events are read from PostgreSQL',
      )
    }
  }

  #receiveMessage(receiver: Receiver, message: Msg): void {
    const text = message.string()
    const end = text.indexOf('\n')
    const range = JSON.parse(end === -1 ? text : text.slice(0, end)) as Omit<Batch, 'records'>
    // A node of the release before signs nothing. Its batches are read from PostgreSQL, like those of hints.
    const isTrusted = end !== -1 && this.#isSigned(message, text)
    if (isTrusted) receiver.onBatches([{ ...range, records: text.slice(end + 1) }])
    else receiver.onHint(range.organization_id as OrganizationId, range.last_seq)
  }

  #isSigned({ subject, headers: sent }: Msg, text: string): boolean {
    const signature = Buffer.from(sent?.get(signatureHeader) ?? '', 'hex')
    const expected = this.#sign(subject, text)
    const isSigned = signature.length === expected.length && timingSafeEqual(signature, expected)
    if (isSigned) this.#failures.succeeded()
    else this.#failures.failed(undefined)
    return isSigned
  }

  /** The prefix prevents other hashes of this server from being used as signatures. */
  #sign(subject: string, text: string): Buffer {
    return this.#hash(`batch ${subject}\n${text}`)
  }

  async #watch(nats: NatsConnection, receiver: Receiver): Promise<void> {
    for await (const { type } of nats.status()) {
      if (type === 'disconnect' && !this.#isStopping) {
        this.#log.warn('the connection to NATS broke; events are read from PostgreSQL until it is back')
      }
      // Messages that were published while the connection was down are lost.
      if (type === 'reconnect') receiver.onHint()
    }
  }

  announce(batches: readonly Batch[]): void {
    for (const { records, ...range } of batches) {
      const subject = `${this.#prefix}.events.${range.organization_id}`
      const head = JSON.stringify(range)
      // A UTF-16 unit takes at most three bytes in UTF-8, so short records need not be measured.
      const fits = records !== null && records.length < maxMessageBytes / 3
      if (!fits && !(records && Buffer.byteLength(records) < maxMessageBytes)) this.#publish(subject, head)
      else this.#publishSigned(subject, `${head}\n${records}`)
    }
  }

  #publishSigned(subject: string, text: string): void {
    const signed = headers()
    signed.set(signatureHeader, this.#sign(subject, text).toString('hex'))
    this.#publish(subject, text, signed)
  }

  poke(): void {
    this.#publish(`${this.#prefix}.poke`, '')
  }

  /**
   * Drops the message while NATS is unreachable, because nodes read missed batches from PostgreSQL
   * anyway.
   */
  #publish(subject: string, text: string, signed?: MsgHdrs): void {
    const nats = this.#connection
    if (!nats || nats.isClosed()) return
    try {
      nats.publish(subject, text, signed && { headers: signed })
    } catch {
      // Nodes find the batch by their periodic read of PostgreSQL.
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#connection?.close()
  }
}

function withoutPassword(url: string): string {
  return url.replace(/\/\/[^@/]*@/, '//…@')
}
