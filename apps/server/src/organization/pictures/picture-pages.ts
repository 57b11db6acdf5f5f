import { ApiError, api, decode, type OrganizationId } from '@oxbow/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { authenticatePage } from '../../identity/authenticate-page.ts'
import type { App } from '../../platform/app.ts'
import type { Page } from '../../platform/http/http-server.ts'
import { readQuery } from '../../platform/http/request-input.ts'
import { immutableCaching, sendFile } from '../../platform/http/send-file.ts'
import { type PictureKind, pictureKinds, pictureUrl } from '../pictures.ts'
import { findOrganizationById, getOrganization } from '../queries.ts'
import { getPictureKey, type PictureVersion } from './picture-files.ts'

/** Serves uploaded pictures, and redirects to the current icon and logos. */
export function organizationPicturePages(app: App): Page[] {
  return [
    {
      path: '/user_avatars/:organization_id/realm/:file',
      name: 'organization_pictures',
      anonymousLimit: 'never',
      handle: (request, reply) => sendPicture(app, request, reply),
    },
    {
      path: '/api/v1/realm/icon',
      name: 'organization_icon',
      handle: (request, reply) => redirectToPicture(app, request, reply, () => 'icon'),
    },
    {
      path: '/api/v1/realm/logo',
      name: 'organization_logo',
      handle: (request, reply) => redirectToPicture(app, request, reply, () => parseLogoKind(request)),
    },
  ]
}

/** Serves a picture without credentials, because sign-in pages show it. */
async function sendPicture(app: App, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const version = parsePictureUrl(request)
  if (!version) throw new ApiError('NOT_FOUND')
  const etag = String(version.version)
  const file = { key: getPictureKey(version), type: 'image/png', etag, cacheControl: immutableCaching }
  const isSent = await sendFile(app, file, request, reply)
  return isSent ? reply : redirectToCurrent(app, version, reply)
}

/** Parses the URL of an uploaded picture. Returns undefined for other URLs. */
function parsePictureUrl({ params, raw }: FastifyRequest): PictureVersion | undefined {
  const { organization_id: organization, file } = params as { organization_id: string; file: string }
  const kind = pictureKinds.find((kind) => file === `${kind}.png`)
  if (!kind || !/^\d{1,15}$/.test(organization)) return undefined
  const version = String(readQuery(raw).get('version'))
  return {
    organization_id: Number(organization) as OrganizationId,
    kind,
    version: /^\d{1,9}$/.test(version) ? Number(version) : 0,
  }
}

/**
 * Redirects from an outdated version to the current picture, because clients keep old URLs for
 * long.
 */
async function redirectToCurrent(
  app: App,
  picture: PictureVersion,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { organization_id, kind, version } = picture
  const organization = await findOrganizationById(app.db, organization_id)
  const isLost =
    organization?.[`${kind}_source`] === 'uploaded' && organization[`${kind}_version`] === version
  if (!organization || isLost) throw new ApiError('NOT_FOUND')
  return redirect(reply, pictureUrl(organization, kind))
}

async function redirectToPicture(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  readKind: () => PictureKind,
): Promise<FastifyReply> {
  const { organization_id } = await authenticatePage(app, request)
  const kind = readKind()
  const url = pictureUrl(await getOrganization(app.db, organization_id), kind)
  const query = readQuery(request.raw)
  // The redirect must not contain the API key, because the picture may be on another server.
  query.delete('api_key')
  const more = new URLSearchParams([...query] as [string, string][]).toString()
  return redirect(reply, more ? `${url}&${more}` : url)
}

function parseLogoKind({ raw }: FastifyRequest): PictureKind {
  const { night } = decode(api.organizationPictures.clearLogo, { path: {}, arguments: readQuery(raw) })
  return night ? 'night_logo' : 'logo'
}

function redirect(reply: FastifyReply, url: string): FastifyReply {
  return reply.code(302).headers({ location: url, 'cache-control': 'private, no-cache' }).send()
}
