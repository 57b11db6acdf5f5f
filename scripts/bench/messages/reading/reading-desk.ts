import type { api, ParamsOf, ResponseOf } from '@oxbow/contract'
import { messageRoutes } from '../../../../apps/server/src/messages/routes.ts'
import { startProbedNode } from '../../events/garden.ts'
import type { Archive } from '../archive/archive.ts'
import { Connection } from '../connection.ts'
import { processorTime } from '../processor-time.ts'
import { openWorkshop, type Statement } from '../workshop.ts'
import type { KindOfPage } from './kinds-of-pages.ts'

type List = typeof api.messages.list

/** What a page took. */
export interface Reading {
  /** Milliseconds of the whole request. */
  request: number
  /** The one that took the longest: it finds the messages. */
  statement: Statement
  /** Milliseconds of a processor that PostgreSQL took for all statements; undefined where it cannot be seen. */
  processor: number | undefined
  messages: number
}

/** Where the reader of an archive sits. */
export interface Desk extends AsyncDisposable {
  archive: Archive
  read(kind: KindOfPage): Promise<Reading>
}

export async function openDesk(archive: Archive): Promise<Desk> {
  await using opening = new AsyncDisposableStack()
  const workshop = opening.use(await openWorkshop(archive))
  const node = opening.use(await startProbedNode(archive))
  const connection = opening.use(new Connection(node.url, archive.reader))
  const reader = await workshop.actorOf(archive.reader)
  const owned = opening.move()
  return {
    archive,
    async read({ narrow, anchor, count }) {
      const given = { anchor: String(anchor), num_before: count, num_after: 0, narrow }
      const before = await processorTime(archive.session)
      const { result, statements } = await workshop.watch(() =>
        messageRoutes.list(workshop.app, reader, { ...given, apply_markdown: true } as ParamsOf<List>),
      )
      const after = await processorTime(archive.session)
      const { messages } = result as ResponseOf<List>
      const start = performance.now()
      await connection.get('/messages', {
        ...given,
        num_before: String(count),
        num_after: '0',
        narrow: JSON.stringify(narrow),
      })
      return {
        request: performance.now() - start,
        statement: statements.reduce((a, b) => (b.milliseconds > a.milliseconds ? b : a)),
        processor: before === undefined || after === undefined ? undefined : after - before,
        messages: messages.length,
      }
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
