import { timingSafeEqual } from 'node:crypto'
import { ApiError, type OrganizationId, type UserId } from '@oxbow/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type AvatarSize,
  avatarName,
  avatarUrl,
  defaultAvatarUrl,
} from '../../../identity/accounts/public-account.ts'
import { type Account, listAccountsById } from '../../../identity/accounts/queries.ts'
import { listSeenAccountsByEmail, listSeenAccountsById } from '../../../identity/accounts/sight.ts'
import { authenticatePage } from '../../../identity/authenticate-page.ts'
import type { Actor } from '../../../platform/actor.ts'
import type { App } from '../../../platform/app.ts'
import type { Page } from '../../../platform/http/http-server.ts'
import { readQuery } from '../../../platform/http/request-input.ts'
import { immutableCaching, sendFile } from '../../../platform/http/send-file.ts'
import { findUser } from '../queries.ts'
import { type AvatarVersion, avatarKey } from './avatar-files.ts'
import { drawInitials } from './draw-initials.ts'

/** Serves uploaded avatars, and redirects from the id or address of a user to their avatar. */
export function avatarPages(app: App): Page[] {
  const find: Page['handle'] = (request, reply) => redirectToAvatar(app, request, reply)
  const paths = ['', '/api/v1'].flatMap((root) => [`${root}/avatar/:who`, `${root}/avatar/:who/:size`])
  return [
    {
      path: '/user_avatars/:organization_id/:file',
      name: 'user_avatars',
      anonymousLimit: 'never',
      handle: (request, reply) => sendAvatar(app, request, reply),
    },
    ...paths.map((path): Page => ({ path, name: 'avatar', handle: find, anonymousLimit: 'without account' })),
  ]
}

/**
 * Sends an uploaded avatar. Credentials are not required, because the name of the file cannot be
 * guessed.
 */
async function sendAvatar(app: App, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const avatarRequest = readAvatarRequest(app, request)
  if (!avatarRequest) throw new ApiError('NOT_FOUND')
  if (avatarRequest.isDrawn) return sendInitials(app, avatarRequest, reply)
  const { size, ...stored } = avatarRequest
  const etag = String(stored.version)
  const file = { key: avatarKey(stored, size), type: 'image/png', etag, cacheControl: immutableCaching }
  const isSent = await sendFile(app, file, request, reply)
  return isSent ? reply : redirectToCurrentVersion(app, avatarRequest, reply)
}

/**
 * Sends a picture with the user's initials. Draws it for each request, because the name may have
 * changed.
 */
async function sendInitials(
  app: App,
  avatarRequest: AvatarRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { organization_id, id } = avatarRequest
  const user = (await listAccountsById(app.db, organization_id, [id])).get(id)
  if (!user) throw new ApiError('NOT_FOUND')
  if (user.avatar_source !== 'external') return redirect(reply, avatarUrl(app, user, avatarRequest.size))
  return reply.headers(drawnHeaders).send(drawInitials(user))
}

const drawnHeaders = {
  'content-type': 'image/svg+xml; charset=utf-8',
  'cache-control': 'private, max-age=3600',
  'content-security-policy': "default-src 'none'; sandbox",
}

/** A request for an avatar. With `isDrawn`, the picture has the user's initials and was not uploaded. */
type AvatarRequest = AvatarVersion & { size: AvatarSize; isDrawn: boolean }

/** Parses the URL of an avatar. Returns undefined if this server did not generate the file name. */
function readAvatarRequest(app: App, { params, raw }: FastifyRequest): AvatarRequest | undefined {
  const { organization_id: organization, file } = params as { organization_id: string; file: string }
  const [, name, user, isMedium, ending] = /^((\d{1,15})-[0-9a-f]{40})(-medium)?\.(png|svg)$/.exec(file) ?? []
  if (!name || !/^\d{1,15}$/.test(organization)) return undefined
  const account = { organization_id: Number(organization) as OrganizationId, id: Number(user) as UserId }
  const real = Buffer.from(avatarName(app, account))
  if (real.length !== name.length || !timingSafeEqual(real, Buffer.from(name))) return undefined
  const version = String(readQuery(raw).get('v'))
  return {
    ...account,
    version: /^\d{1,9}$/.test(version) ? Number(version) : 0,
    size: isMedium ? 'medium' : 'small',
    isDrawn: ending === 'svg',
  }
}

/**
 * Redirects from a deleted version to the current one, because messages and client caches keep old
 * URLs for a long time.
 */
async function redirectToCurrentVersion(
  app: App,
  avatarRequest: AvatarRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const user = await findUser(app.db, avatarRequest.organization_id, avatarRequest.id)
  if (!user || (user.avatar_version === avatarRequest.version && user.avatar_source !== 'external'))
    throw new ApiError('NOT_FOUND')
  return redirect(reply, avatarUrl(app, user, avatarRequest.size))
}

async function redirectToAvatar(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const actor = await authenticatePage(app, request)
  const { who, size } = request.params as { who: string; size?: string }
  const account = await findAccount(app, actor, who)
  // Unknown users get a default picture.
  const url = account ? avatarUrl(app, account, size ? 'medium' : 'small') : defaultAvatarUrl
  const query = readQuery(request.raw)
  const isCurrent = account !== undefined && query.get('v') === String(account.avatar_version)
  if (isCurrent) query.delete('v')
  // The target of the redirect must not contain the API key.
  query.delete('api_key')
  const more = new URLSearchParams([...query] as [string, string][]).toString()
  // Only a redirect by id and version may be cached, because it always leads to the same picture.
  // An address may later belong to another user.
  const cacheControl = isCurrent && isId(who) ? 'private, max-age=86400' : undefined
  return redirect(reply, more ? `${url}&${more}` : url, cacheControl)
}

/** Returns whether the text is an id, which has at most 15 digits. */
const isId = (who: string): boolean => /^\d{1,15}$/.test(who)

/** Finds an account that the actor sees by id or display address, including the server's own accounts. */
async function findAccount({ config, db }: App, actor: Actor, who: string): Promise<Account | undefined> {
  if (isId(who)) {
    const id = Number(who) as UserId
    return (await listSeenAccountsById(db, actor, [id])).get(id)
  }
  // PostgreSQL refuses NUL in texts, so no address contains it.
  if (who.includes('\0')) return undefined
  return (await listSeenAccountsByEmail(config, db, actor, [who])).get(who.toLowerCase())
}

function redirect(reply: FastifyReply, url: string, cacheControl = 'private, no-cache'): FastifyReply {
  return reply.code(302).headers({ location: url, 'cache-control': cacheControl }).send()
}
