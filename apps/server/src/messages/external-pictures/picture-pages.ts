import { ApiError } from '@oxbow/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findOrganization } from '../../organization/queries.ts'
import type { App } from '../../platform/app.ts'
import { resolveRequest } from '../../platform/http/host.ts'
import type { Page } from '../../platform/http/http-server.ts'
import { sandboxPolicy } from '../../platform/http/send-file.ts'
import { loadPicture } from './load-picture.ts'
import { picturePath, readSignedPicture } from './picture-paths.ts'

/**
 * Serves pictures of other hosts under signed paths. No credentials are required, because clients
 * embed the pictures as images and send none.
 */
export function externalPicturePages(app: App): Page[] {
  return [
    {
      path: `${picturePath}/*`,
      name: 'external_content',
      anonymousLimit: 'with a wrong link',
      handle: (request, reply) => sendPicture(app, request, reply),
    },
  ]
}

const headers = {
  'cache-control': 'private, max-age=86400',
  'content-disposition': 'inline',
  'content-security-policy': sandboxPolicy,
  'referrer-policy': 'no-referrer',
}

async function sendPicture(app: App, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { subdomain } = resolveRequest(app.config, request)
  const organization = subdomain === null ? undefined : await findOrganization(app.db, subdomain)
  if (!organization) throw new ApiError('NOT_FOUND')
  const { '*': rest } = request.params as { '*': string }
  const url = readSignedPicture(app.secrets, organization.id, rest)
  // The proxy may have been switched off after a client loaded messages with signed paths.
  if (!app.config.image_proxy) {
    // Only embedded pictures are redirected. A redirected link would hide its target from the user.
    if (request.headers['sec-fetch-dest'] === 'document') throw new ApiError('NOT_FOUND')
    return reply.code(302).headers({ location: url, 'referrer-policy': 'no-referrer' }).send()
  }
  const { bytes, etag } = await loadPicture(app, organization.id, url)
  reply.headers({ ...headers, etag: `"${etag}"` })
  if (request.headers['if-none-match'] === `"${etag}"`) return reply.code(304).send()
  return reply
    .headers({ 'content-type': 'image/webp', 'content-length': bytes.length })
    .send(request.method === 'HEAD' ? undefined : bytes)
}
