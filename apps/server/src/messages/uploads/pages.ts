import { ApiError, type UploadId } from '@oxbow/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { authenticatePage } from '../../identity/authenticate-page.ts'
import type { App } from '../../platform/app.ts'
import { resolveRequest } from '../../platform/http/host.ts'
import type { Page } from '../../platform/http/http-server.ts'
import { OpenRequests, refuseAboveLimit } from '../../platform/http/request-limits.ts'
import { sandboxPolicy, sendFile } from '../../platform/http/send-file.ts'
import { makeRateLimiter } from '../../platform/http/share-counts.ts'
import type { Reader } from '../visibility.ts'
import { accessUpload } from './access.ts'
import { contentDisposition } from './content-disposition.ts'
import { isInline, servedType } from './content-type.ts'
import { nameInPath, uploadKey } from './names.ts'
import { type AccessibleUpload, findActiveReader } from './queries.ts'
import { linkSeconds, readTemporaryToken } from './temporary-links.ts'
import { sendThumbnail } from './thumbnails/send-thumbnail.ts'

/** Serves uploads and their thumbnails to accounts that may read them, and through temporary links. */
export function uploadPages(app: App): Page[] {
  const downloads = new OpenRequests(app.config.connections_per_account)
  // A page may show many pictures at once, so downloads have a separate limit.
  const limiter = makeRateLimiter(app, 'downloads of accounts', app.config.rate_limit_per_minute * 10)
  const countDownload = ({ user_id }: Reader, reply: FastifyReply): void => {
    downloads.add(user_id, reply.raw)
    refuseAboveLimit(app, limiter.count(user_id))
  }
  return [
    {
      path: '/user_uploads/:realm_id/*',
      name: 'user_uploads',
      anonymousLimit: 'without account',
      handle: async (request, reply) => {
        const { realm_id, '*': rest } = request.params as { realm_id: string; '*': string }
        const reader = await authenticatePage(app, request)
        countDownload(reader, reply)
        const upload = await accessUpload(app.db, reader, { path_id: `${realm_id}/${rest}` })
        return sendUpload(app, upload, request, reply)
      },
    },
    {
      path: '/user_uploads/thumbnail/:realm_id/*',
      name: 'thumbnails',
      anonymousLimit: 'without account',
      handle: async (request, reply) => {
        const { realm_id, '*': rest } = request.params as { realm_id: string; '*': string }
        const reader = await authenticatePage(app, request)
        countDownload(reader, reply)
        const end = rest.lastIndexOf('/')
        const upload = await accessUpload(app.db, reader, { path_id: `${realm_id}/${rest.slice(0, end)}` })
        return sendThumbnail(app, reader, upload, rest.slice(end + 1), request, reply)
      },
    },
    {
      path: '/user_uploads/temporary/*',
      name: 'temporary_uploads',
      anonymousLimit: 'with a wrong link',
      handle: async (request, reply) => {
        const { reader, id } = await readTemporaryLink(app, request)
        countDownload(reader, reply)
        const upload = await accessUpload(app.db, reader, { id })
        refuseUnlessNamed(upload, request)
        return sendUpload(app, upload, request, reply)
      },
    },
  ]
}

/** Returns the upload of a temporary link, and the account that the link was made for. */
async function readTemporaryLink(
  app: App,
  request: FastifyRequest,
): Promise<{ reader: Reader; id: UploadId }> {
  const grant = readTemporaryToken(app.secrets, splitLink(request).token)
  const reader = await findActiveReader(app.db, grant)
  // A link works only on the host of its organization, and only while its account is active.
  if (!reader || reader.subdomain !== resolveRequest(app.config, request).subdomain)
    throw new ApiError('TEMPORARY_LINK_INVALID')
  return { reader, id: grant.upload_id }
}

function refuseUnlessNamed({ path_id }: AccessibleUpload, request: FastifyRequest): void {
  if (nameInPath(path_id) !== splitLink(request).name) throw new ApiError('TEMPORARY_LINK_RENAMED')
}

/**
 * Splits the path of a temporary link. A route with parameters would not match tokens that are too
 * long, and these need an error response too.
 */
function splitLink({ params }: FastifyRequest): { token: string; name: string } {
  const { '*': rest } = params as { '*': string }
  const [token = '', name = ''] = rest.split('/')
  return { token, name }
}

/**
 * Content security policy of PDF files. It has no sandbox, which would prevent the browser's PDF
 * viewer from starting.
 */
const pdfPolicy = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'"

const redirectHeaders = { 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' }

async function sendUpload(
  app: App,
  { path_id, file_name, size, content_type, sha256 }: AccessibleUpload,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const key = uploadKey(path_id)
  const type = servedType(content_type)
  const disposition = contentDisposition(isInline(content_type) ? 'inline' : 'attachment', file_name)
  // The first request for a file is redirected. A client that validates its cached copy is not.
  if (request.method === 'GET' && request.headers['if-none-match'] === undefined) {
    const url = await app.files.presign(key, {
      seconds: linkSeconds,
      contentType: type,
      contentDisposition: disposition,
    })
    if (url)
      return reply
        .code(302)
        .headers({ location: url, ...redirectHeaders })
        .send()
  }
  const file = {
    key,
    type,
    etag: sha256.slice(0, 32),
    cacheControl: 'private, immutable',
    size,
    headers: {
      'content-disposition': disposition,
      'content-security-policy': content_type === 'application/pdf' ? pdfPolicy : sandboxPolicy,
      'cross-origin-resource-policy': 'same-origin',
      // The URL may contain a key.
      'referrer-policy': 'no-referrer',
    },
  }
  if (!(await sendFile(app, file, request, reply))) throw new ApiError('UPLOAD_NOT_FOUND')
  return reply
}
