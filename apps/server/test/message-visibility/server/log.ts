import type { World } from '@oxbow/testkit'
import { type Batch, type LogRecord, unpackBatch } from '../../../src/events/record.ts'

/** An event as stored in the log, before any queue filters it. */
export interface LoggedEvent {
  type: string
  header: LogRecord['header']
  event: Record<string, unknown>
}

/** Events of one transaction, in order. */
export type Transaction = readonly LoggedEvent[]

/** Reads the log, which shows the order in which concurrent actions were committed. */
export class LogReader {
  readonly #world: World
  #position = 0

  constructor(world: World) {
    this.#world = world
  }

  /** Returns the transactions since the last call. */
  async takeTransactions(): Promise<Transaction[]> {
    const batches = await this.#world.database.query<Batch>(
      `select organization_id, first_seq, last_seq, records from event_batch
       where organization_id = $1 and last_seq > $2 order by last_seq`,
      [this.#world.organization_id, this.#position],
    )
    this.#position = batches.at(-1)?.last_seq ?? this.#position
    const byTransaction = Map.groupBy(batches.flatMap(unpackBatch), ({ tx }) => tx)
    return [...byTransaction.values()].map((records) => records.map(parseRecord))
  }
}

function parseRecord({ header, event }: LogRecord): LoggedEvent {
  return { type: header.type ?? '', header, event: JSON.parse(event ?? '{}') as LoggedEvent['event'] }
}
