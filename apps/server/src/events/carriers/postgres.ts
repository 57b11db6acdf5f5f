import type { OrganizationId } from '@oxbow/contract'
import type { Log } from '../../platform/observe/log.ts'
import { FailureLog } from '../../platform/observe/log.ts'
import { DirectConnection } from '../direct-connection.ts'
import type { Batch } from '../record.ts'
import type { Carrier, Receiver } from './carrier.ts'

const eventsChannel = 'oxbow_events'
const pokesChannel = 'oxbow_pokes'
/** PostgreSQL limits NOTIFY payloads to below 8,000 bytes. */
const maxPayloadBytes = 7_900
/** Commits within this time share one poke. */
const pokeDelayMs = 5

/**
 * Sends hints by LISTEN and NOTIFY. The sequencer notifies after its commit; nodes then read the
 * batches.
 */
export class PostgresCarrier implements Carrier {
  readonly #connection: DirectConnection
  readonly #failures: FailureLog
  #receiver: Receiver | undefined
  #poke: NodeJS.Timeout | undefined
  /**
   * The newest number of each organization that was announced while a NOTIFY is in flight. The next NOTIFY
   * sends these numbers.
   */
  #announced = new Map<OrganizationId, number>()
  #isNotifying = false

  constructor(databaseUrl: string, log: Log, databaseTimeoutMs?: number) {
    this.#failures = new FailureLog(log, {
      failed: 'nodes could not be notified of events; they find them by polling PostgreSQL',
      recovered: 'nodes are notified of events again',
    })
    this.#connection = new DirectConnection(databaseUrl, 'oxbow carrier', log, databaseTimeoutMs)
    this.#connection.onConnect = async (client) => {
      client.on('notification', ({ channel, payload = '' }) => this.#receiveNotification(channel, payload))
      await client.query(`listen ${eventsChannel}; listen ${pokesChannel}`)
      // Notifications sent before this session listened are lost.
      this.#receiver?.onHint()
    }
  }

  async start(receiver: Receiver): Promise<void> {
    this.#receiver = receiver
    await this.#connection.start()
  }

  announce(batches: readonly Batch[]): void {
    for (const { organization_id, last_seq } of batches) this.#announced.set(organization_id, last_seq)
    if (!this.#isNotifying) void this.#notify()
  }

  async #notify(): Promise<void> {
    this.#isNotifying = true
    while (this.#announced.size > 0) {
      const hints = [...this.#announced].map(([id, last]) => `${id}:${last}`).join(',')
      this.#announced.clear()
      await this.#notifyChannel(eventsChannel, hints.length <= maxPayloadBytes ? hints : 'all')
    }
    this.#isNotifying = false
  }

  poke(): void {
    this.#poke ??= setTimeout(() => {
      this.#poke = undefined
      void this.#notifyChannel(pokesChannel, '')
    }, pokeDelayMs)
  }

  /** Never rejects: nodes also poll PostgreSQL, so a lost notification causes only a delay. */
  async #notifyChannel(channel: string, payload: string): Promise<void> {
    await this.#connection.query('select pg_notify($1, $2)', [channel, payload]).then(
      () => this.#failures.succeeded(),
      (error: unknown) => this.#failures.failed(error),
    )
  }

  #receiveNotification(channel: string, payload: string): void {
    if (channel === pokesChannel) this.#receiver?.onPoke()
    else if (payload === 'all') this.#receiver?.onHint()
    else for (const hint of payload.split(',')) this.#receiveHint(hint)
  }

  #receiveHint(hint: string): void {
    const [organization, last] = hint.split(':').map(Number)
    this.#receiver?.onHint(organization as OrganizationId, last)
  }

  async stop(): Promise<void> {
    clearTimeout(this.#poke)
    await this.#connection.stop()
  }
}
