import type { World } from '@oxbow/testkit'
import { type Batch, type LogRecord, unpackBatch } from '../../../src/events/record.ts'

/** An event as the log has it, before any queue. */
export interface Told {
  type: string
  header: LogRecord['header']
  event: Record<string, unknown>
}

/** What was committed at once, in order. */
export type Transaction = readonly Told[]

/** The log says in which order things happened, whatever order they were asked for in. */
export class LogReader {
  readonly #world: World
  #position = 0

  constructor(world: World) {
    this.#world = world
  }

  /** What was written since the last time. */
  async takeTransactions(): Promise<Transaction[]> {
    const batches = await this.#world.database.query<Batch>(
      `select organization_id, first_seq, last_seq, records from event_batch
       where organization_id = $1 and last_seq > $2 order by last_seq`,
      [this.#world.organization_id, this.#position],
    )
    this.#position = batches.at(-1)?.last_seq ?? this.#position
    const byTransaction = Map.groupBy(batches.flatMap(unpackBatch), ({ tx }) => tx)
    return [...byTransaction.values()].map((records) => records.map(toldBy))
  }
}

function toldBy({ header, event }: LogRecord): Told {
  return { type: header.type ?? '', header, event: JSON.parse(event ?? '{}') as Told['event'] }
}
