import type { OrganizationId } from '@oxbow/contract'
import { FailureLog } from '../../platform/failure-log.ts'
import type { Log } from '../../platform/log.ts'
import { DirectConnection } from '../direct-connection.ts'
import type { Batch } from '../record.ts'
import type { Carrier, Receiver } from './carrier.ts'

const events = 'oxbow_events'
const pokes = 'oxbow_pokes'
/** PostgreSQL takes payloads below 8,000 bytes. */
const longest = 7_900
/** Many commits of a moment are one poke. */
const pokeEvery = 5

/** Hints by LISTEN and NOTIFY. Only the sequencer notifies of batches, after its commit; nodes then read them. */
export class PostgresCarrier implements Carrier {
  readonly #connection: DirectConnection
  readonly #failures: FailureLog
  #receiver: Receiver | undefined
  #poke: NodeJS.Timeout | undefined
  /** What was announced while a notification is on its way; the next one carries it. */
  #announced = new Map<OrganizationId, number>()
  #isNotifying = false

  constructor(databaseUrl: string, log: Log) {
    this.#failures = new FailureLog(log, {
      failed: 'nodes could not be notified of events; they look for them by themselves',
      recovered: 'nodes are notified of events again',
    })
    this.#connection = new DirectConnection(databaseUrl, 'oxbow carrier', log)
    this.#connection.onConnect = async (client) => {
      client.on('notification', ({ channel, payload = '' }) => this.#heard(channel, payload))
      await client.query(`listen ${events}; listen ${pokes}`)
      // Whatever was said while nobody listened.
      this.#receiver?.hint()
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
      await this.#say(events, hints.length <= longest ? hints : 'all')
    }
    this.#isNotifying = false
  }

  poke(): void {
    this.#poke ??= setTimeout(() => {
      this.#poke = undefined
      void this.#say(pokes, '')
    }, pokeEvery)
  }

  /** Hints may be lost: whoever waits for them looks by itself too. */
  async #say(channel: string, payload: string): Promise<void> {
    await this.#connection.query('select pg_notify($1, $2)', [channel, payload]).then(
      () => this.#failures.succeeded(),
      (error: unknown) => this.#failures.failed(error),
    )
  }

  #heard(channel: string, payload: string): void {
    if (channel === pokes) this.#receiver?.poke()
    else if (payload === 'all') this.#receiver?.hint()
    else for (const hint of payload.split(',')) this.#heardHint(hint)
  }

  #heardHint(hint: string): void {
    const [organization, last] = hint.split(':').map(Number)
    this.#receiver?.hint(organization as OrganizationId, last)
  }

  async stop(): Promise<void> {
    clearTimeout(this.#poke)
    await this.#connection.stop()
  }
}
