import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { parseRange } from './byte-range.ts'

export interface SentFile {
  key: string
  type: string
  /** Identifies the content. Under this URL the same tag is never used for other content. */
  etag: string
  cacheControl: string
  /** Size of the file in bytes, if it is known. Only then can clients request ranges. */
  size?: number
  /** Headers that are added to the usual ones or replace them. */
  headers?: Readonly<Record<string, string>>
}

/** `Cache-Control` for URLs whose content never changes. */
export const immutableCaching = 'public, max-age=31536000, immutable'

/** Sandboxes the file, so that it can neither load nor run anything, whichever type a browser assumes. */
export const sandboxPolicy = "default-src 'none'; sandbox; frame-ancestors 'none'"

/**
 * Sends a file, or the part of it that the request asks for; returns false, without a response, if it does
 * not exist. The function does not return the reply, because awaiting a reply would wait for the end of the
 * response.
 */
export async function sendFile(
  { files }: Pick<App, 'files'>,
  file: SentFile,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const { key, type, size } = file
  const headers = buildHeaders(file)
  if (matchesEtag(request.headers['if-none-match'], headers.etag)) {
    reply.code(304).headers(headers).send()
    return true
  }
  const range = size === undefined ? undefined : parseRange(chooseRange(request, headers.etag), size)
  if (range === 'unsatisfiable') {
    reply
      .code(416)
      .headers({ ...headers, 'content-range': `bytes */${size}` })
      .send()
    return true
  }
  const found = await files.get(key, range)
  if (!found) return false
  reply.headers({ ...headers, 'content-type': type, 'content-length': found.size })
  if (range) {
    const { start, end } = range
    reply.code(206).headers({
      'content-length': end - start + 1,
      'content-range': `bytes ${start}-${end}/${found.size}`,
    })
  }
  if (request.method === 'HEAD') found.content.destroy()
  reply.send(request.method === 'HEAD' ? undefined : found.content)
  return true
}

function buildHeaders({ etag, cacheControl, size, headers }: SentFile) {
  return {
    etag: `"${etag}"`,
    'cache-control': cacheControl,
    'content-security-policy': sandboxPolicy,
    ...(size !== undefined && { 'accept-ranges': 'bytes' }),
    ...headers,
  }
}

/** Returns the requested range. A client whose partial copy is of older content gets the whole file. */
function chooseRange({ headers }: FastifyRequest, etag: string): string | undefined {
  const condition = headers['if-range']
  return condition === undefined || condition === etag ? headers.range : undefined
}

/** Whether the client already has the content with this quoted tag. */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  return ifNoneMatch?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) ?? false
}
