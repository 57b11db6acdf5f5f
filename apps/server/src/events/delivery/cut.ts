/** The position of a register in the log, and the snapshot its state was read with. */
export interface Cut {
  readonly seq: number
  readonly xmin: number
  readonly xmax: number
  /** Transactions between the two that had not committed. */
  readonly running: ReadonlySet<number>
}

/** Reads PostgreSQL's text of a snapshot: `xmin:xmax:xip,…`. */
export function readCut(seq: number, snapshot: string): Cut {
  const [xmin = '', xmax = '', running = ''] = snapshot.split(':')
  const ids = running === '' ? nobody : new Set(running.split(',').map(Number))
  return { seq, xmin: Number(xmin), xmax: Number(xmax), running: ids }
}

const nobody: ReadonlySet<number> = new Set()

/**
 * Whether the state that was read at the cut holds what this record tells. Up to the position everything was committed
 * before the snapshot was taken; after it, the transaction was committed before or not, and the snapshot knows.
 */
export function isBefore({ seq, xmin, xmax, running }: Cut, record: { seq: number; tx: number }): boolean {
  if (record.seq <= seq) return true
  return record.tx < xmin || (record.tx < xmax && !running.has(record.tx))
}
