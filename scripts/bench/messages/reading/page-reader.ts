import type { api, ParamsOf, ResponseOf } from '@oxbow/contract'
import { gatherPieces } from '../../../../apps/server/src/api/send-result.ts'
import { messageRoutes } from '../../../../apps/server/src/messages/routes.ts'
import { startProbedNode } from '../../events/bench-organization.ts'
import type { Archive } from '../archive/archive.ts'
import { Connection } from '../connection.ts'
import { openInProcessServer, type Statement } from '../in-process-server.ts'
import { processorTime } from '../processor-time.ts'
import type { KindOfPage } from './kinds-of-pages.ts'

type List = typeof api.messages.list

/** The cost of reading one page. */
export interface Reading {
  /** Duration of the whole request in milliseconds. */
  request: number
  /** The slowest statement, which finds the messages. */
  statement: Statement
  /** Processor time of PostgreSQL for all statements, in milliseconds; undefined if it cannot be read. */
  processor: number | undefined
  messages: number
}

/** Reads pages of an archive over HTTP and in this process. */
export interface PageReader extends AsyncDisposable {
  archive: Archive
  read(kind: KindOfPage): Promise<Reading>
}

export async function openPageReader(archive: Archive): Promise<PageReader> {
  await using opening = new AsyncDisposableStack()
  const server = opening.use(await openInProcessServer(archive))
  const node = opening.use(await startProbedNode(archive))
  const connection = opening.use(new Connection(node.url, archive.reader))
  const reader = await server.actorOf(archive.reader)
  const owned = opening.move()
  return {
    archive,
    async read({ narrow, anchor, count }) {
      const page = { anchor: String(anchor), num_before: count, num_after: 0, narrow }
      const before = await processorTime(archive.session)
      const { result, statements } = await server.watch(() =>
        messageRoutes.list(server.app, reader, { ...page, apply_markdown: true } as ParamsOf<List>),
      )
      const after = await processorTime(archive.session)
      const { messages } = (await gatherPieces(result)) as ResponseOf<List>
      const start = performance.now()
      await connection.get('/messages', {
        ...page,
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
