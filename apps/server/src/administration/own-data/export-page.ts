import { Readable } from 'node:stream'
import { ApiError } from '@oxbow/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { authenticatePage } from '../../identity/authenticate-page.ts'
import type { Reader } from '../../messages/visibility.ts'
import { lockUser } from '../../people/users/queries.ts'
import type { App } from '../../platform/app.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { getAccountLimiter } from '../../platform/http/account-limiter.ts'
import type { Page } from '../../platform/http/http-server.ts'
import { OpenRequests, refuseAboveLimit } from '../../platform/http/request-limits.ts'
import { sandboxPolicy } from '../../platform/http/send-file.ts'
import { countRecentExports, insertOwnExport } from './queries.ts'

/** Maximum number of exports per account in 24 hours. */
const maxExportsPerDay = 3

/** Serves people an archive of their own data. An account can have one open download per node. */
export function ownExportPages(app: App): Page[] {
  const downloads = new OpenRequests(1)
  return [
    {
      path: '/api/v1/users/me/export',
      name: 'own_export',
      anonymousLimit: 'without account',
      handle: (request, reply) => sendOwnExport(app, downloads, request, reply),
    },
  ]
}

async function sendOwnExport(
  app: App,
  downloads: OpenRequests,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const actor = await authenticatePage(app, request)
  refuseAboveLimit(app, getAccountLimiter(app).count(actor.user_id))
  if (actor.bot_type !== null) throw new ApiError('NOT_FOR_BOTS')
  if (request.method !== 'HEAD') {
    downloads.add(actor.user_id, reply.raw)
    await countExport(app, actor)
  }
  reply.headers({
    'content-type': 'application/x-tar',
    'content-disposition': 'attachment; filename="my-data.tar"',
    'content-security-policy': sandboxPolicy,
    'cache-control': 'private, no-store',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
  })
  // Imported lazily, to save memory.
  const { writeOwnArchive } = await import('./write-archive.ts')
  const content = Readable.from(writeOwnArchive(app, actor), { objectMode: false })
  content.on('error', (err) =>
    app.log.warn({ err, user_id: actor.user_id }, 'an export of own data was cut off'),
  )
  return reply.send(request.method === 'HEAD' ? undefined : content)
}

/**
 * Counts an export, or throws if there were too many. Locks a row, so that concurrent requests on
 * different nodes are counted too.
 */
async function countExport({ db }: App, reader: Reader): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockUser(tx, reader.organization_id, reader.user_id)
    const { count, frees_in } = await countRecentExports(tx, reader)
    if (count >= maxExportsPerDay)
      throw new ApiError('RATE_LIMIT_HIT', { 'retry-after': Math.ceil(frees_in) })
    await insertOwnExport(tx, reader)
  })
}
