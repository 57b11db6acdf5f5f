import { ApiError, type api, type ResponseOf } from '@oxbow/contract'
import { mergeFamilies } from '../events/delivery/merge.ts'
import { none, type Queue } from '../events/delivery/queue.ts'
import type { RenderedEvent } from '../events/delivery/render.ts'
import type { OrganizationLog } from '../events/log/organization-log.ts'
import { findHead } from '../events/log/read-log.ts'
import { type Found, readBefore, readWindow } from '../events/log/read-queue.ts'
import type { LogRecord } from '../events/record.ts'
import type { App } from '../platform/app.ts'
import { type InPieces, JsonText } from '../platform/pieces.ts'

export type Events = readonly RenderedEvent[]
export type PollAnswer = InPieces<ResponseOf<typeof api.events.poll>>

export function answerOf({ id }: Queue, events: Events): PollAnswer {
  const json = events.length === 1 ? events[0]?.json : events.map((event) => event.json).join()
  return { events: new JsonText([`[${json}]`]), queue_id: id }
}

/** Where a client that has everything up to `given` reads on; refuses cursors that nobody can have. */
export async function startOf(
  app: App,
  organization: OrganizationLog,
  queue: Queue,
  given = queue.cut.seq,
): Promise<number> {
  const cursor = Math.max(given, queue.cut.seq)
  if (cursor > organization.position) await catchUpTo(app, organization, cursor)
  if (organization.isDead(cursor)) throw deadQueue(queue)
  return cursor
}

/** The client may have been elsewhere, on a node that is ahead of this one. */
async function catchUpTo(app: App, organization: OrganizationLog, cursor: number): Promise<void> {
  const head = await findHead(app.db, organization.id)
  // In the middle of a failover nobody can tell yet whether the cursor is in what was lost.
  if (head.last_seq < cursor && head.isOwn) throw new ApiError('EVENT_NOT_IN_QUEUE', { id: cursor })
  await app.events.log.catchUp(organization)
  // PostgreSQL has it and did not let us read it.
  if (organization.position < cursor) throw new ApiError('SERVICE_UNAVAILABLE')
}

/** Everything after the cursor that is there now. When it is empty, nothing came until the very moment it returns. */
export async function lookFor(
  app: App,
  organization: OrganizationLog,
  queue: Queue,
  cursor: number,
): Promise<Events> {
  for (let from = cursor; ; ) {
    const events = lookNow(app, organization, queue, from)
    if (events) return events
    const found = await readBefore(app.db, organization, queue, from)
    refuseIfEnded(organization, queue, found)
    if (found.records.length > 0) return compose(app, queue, found, from)
    from = found.scannedTo
  }
}

/** From memory, without a pause in which something could come. Undefined where memory does not reach back far enough. */
export function lookNow(
  app: App,
  organization: OrganizationLog,
  queue: Queue,
  cursor: number,
): Events | undefined {
  // Whoever acknowledges what they were sent last is known to have everything that was looked at then.
  const from = cursor >= queue.answeredTo ? Math.max(cursor, queue.scannedTo) : cursor
  if (from < organization.window.since) return undefined
  const found =
    from < organization.position
      ? readWindow(organization, queue, from)
      : { records: [], scannedTo: from, isEnded: false }
  refuseIfEnded(organization, queue, found)
  return compose(app, queue, found, cursor)
}

/** What came while someone listened. */
export function takeFound(app: App, organization: OrganizationLog, queue: Queue, cursor: number): Events {
  const records = queue.found
  queue.found = none
  return compose(app, queue, { records, scannedTo: organization.position }, cursor)
}

function compose(
  app: App,
  queue: Queue,
  { records, scannedTo }: Pick<Found, 'records' | 'scannedTo'>,
  cursor: number,
): Events {
  const rendered = render(app, queue, records, cursor)
  const last = rendered.at(-1)
  queue.answeredTo = last?.id ?? cursor
  queue.scannedTo = scannedTo
  if (last) noteHandedOut(queue, cursor, last.id)
  return rendered
}

function render(app: App, queue: Queue, records: readonly LogRecord[], cursor: number): Events {
  const [first] = records
  if (!first) return []
  const { renderer } = app.events
  if (records.length === 1) return renderer.render(first, queue, cursor)
  const events = records.flatMap((record) => renderer.render(record, queue, cursor))
  return mergeUnseen(queue, cursor, events)
}

/** What was handed out once is handed out the same way again. */
function mergeUnseen(queue: Queue, cursor: number, events: Events): Events {
  const isRepeated = cursor === queue.handedOutAfter
  const lasts = isRepeated ? [...(queue.earlierAnswers ?? []), queue.handedOutTo] : []
  const answers = Map.groupBy(events, ({ id }) => lasts.findIndex((last) => id <= last))
  return [...answers.values()].flatMap(mergeFamilies)
}

function noteHandedOut(queue: Queue, cursor: number, last: number): void {
  if (queue.handedOutAfter !== cursor) {
    queue.handedOutAfter = cursor
    queue.handedOutTo = last
    queue.earlierAnswers = undefined
  } else if (last > queue.handedOutTo) {
    queue.earlierAnswers = [...(queue.earlierAnswers ?? []), queue.handedOutTo]
    queue.handedOutTo = last
  }
}

function refuseIfEnded(organization: OrganizationLog, queue: Queue, found: Found): void {
  if (!found.isEnded && !queue.isEnded) return
  organization.end(queue)
  throw deadQueue(queue)
}

const deadQueue = ({ id }: Queue) => new ApiError('BAD_EVENT_QUEUE_ID', { queue_id: id })
