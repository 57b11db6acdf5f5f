import { ApiError, type DataExportId, isAdministrator } from '@oxbow/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { authenticatePage } from '../../identity/authenticate-page.ts'
import type { App } from '../../platform/app.ts'
import { getAccountLimiter } from '../../platform/http/account-limiter.ts'
import type { Page } from '../../platform/http/http-server.ts'
import { refuseAboveLimit } from '../../platform/http/request-limits.ts'
import { sandboxPolicy, sendFile } from '../../platform/http/send-file.ts'
import { archiveKey, findExport } from './queries.ts'
import { archiveName, archivePath } from './views.ts'

/** Serves the archives of exports to the administrators of their organization. */
export function archivePages(app: App): Page[] {
  return [
    {
      path: `${archivePath}/:id/:name`,
      name: 'data_exports',
      anonymousLimit: 'without account',
      handle: (request, reply) => sendArchive(app, request, reply),
    },
  ]
}

async function sendArchive(app: App, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { id, name } = request.params as { id: string; name: string }
  const { organization_id, user_id, role, bot_type } = await authenticatePage(app, request)
  refuseAboveLimit(app, getAccountLimiter(app).count(user_id))
  if (!isAdministrator(role)) throw new ApiError('MUST_BE_ADMINISTRATOR')
  if (bot_type !== null) throw new ApiError('NOT_FOR_BOTS')
  const row = /^\d{1,15}$/.test(id)
    ? await findExport(app.db, { organization_id, id: Number(id) as DataExportId })
    : undefined
  if (!row?.finished_at || row.deleted_at || name !== archiveName(row)) throw new ApiError('UPLOAD_NOT_FOUND')
  const file = {
    key: archiveKey(row),
    type: 'application/gzip',
    etag: String(row.id),
    cacheControl: 'private, no-store',
    ...(row.size !== null && { size: row.size }),
    headers: {
      'content-disposition': `attachment; filename="${name}"`,
      'content-security-policy': sandboxPolicy,
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
    },
  }
  if (!(await sendFile(app, file, request, reply))) throw new ApiError('UPLOAD_NOT_FOUND')
  return reply
}
