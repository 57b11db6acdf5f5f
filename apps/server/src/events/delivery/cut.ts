/**
 * Separates the changes that the state of a `register` response includes from those delivered as events:
 * the position of the node in the log before the read, and the PostgreSQL snapshot of the read.
 */
export interface Cut {
  /** All records up to this number were committed before the snapshot. */
  readonly seq: number
  /** All transactions with lower ids had ended at the snapshot. */
  readonly xmin: number
  /** No transaction with this or a higher id had ended at the snapshot. */
  readonly xmax: number
  /** Transactions between `xmin` and `xmax` that were still running at the snapshot. */
  readonly running: ReadonlySet<number>
}

/** Parses PostgreSQL's text form of a snapshot: `xmin:xmax:xip,…`. */
export function parseCut(seq: number, snapshot: string): Cut {
  const [xmin = '', xmax = '', running = ''] = snapshot.split(':')
  const ids = running === '' ? noTransactions : new Set(running.split(',').map(Number))
  return { seq, xmin: Number(xmin), xmax: Number(xmax), running: ids }
}

const noTransactions: ReadonlySet<number> = new Set()

/**
 * Whether the state read at the cut already includes the change of this record, so that its event must not be
 * delivered. Records up to `seq` were committed before the snapshot; for later records, the snapshot shows
 * whether their transaction had ended.
 */
export function isIncludedInCut(
  { seq, xmin, xmax, running }: Cut,
  record: { seq: number; tx: number },
): boolean {
  if (record.seq <= seq) return true
  return record.tx < xmin || (record.tx < xmax && !running.has(record.tx))
}
