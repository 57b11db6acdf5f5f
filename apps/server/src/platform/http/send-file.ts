import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'

export interface SentFile {
  key: string
  type: string
  /** Identifies the content: under this URL it is never reused for other content. */
  etag: string
  cacheControl: string
}

/** `Cache-Control` for URLs whose content never changes. */
export const immutableCaching = 'public, max-age=31536000, immutable'

/** Sandboxes the file: whatever type a browser assumes, it can neither load nor run anything. */
const policy = "default-src 'none'; sandbox; frame-ancestors 'none'"

/**
 * Sends a file; returns false, without a response, if it does not exist. It does not return the
 * reply, because awaiting a reply waits for the end of the response.
 */
export async function sendFile(
  { files }: Pick<App, 'files'>,
  { key, type, etag, cacheControl }: SentFile,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const headers = { etag: `"${etag}"`, 'cache-control': cacheControl, 'content-security-policy': policy }
  if (matchesEtag(request.headers['if-none-match'], headers.etag)) {
    reply.code(304).headers(headers).send()
    return true
  }
  const found = await files.get(key)
  if (!found) return false
  reply.headers({ ...headers, 'content-type': type, 'content-length': found.size })
  if (request.method === 'HEAD') found.content.destroy()
  reply.send(request.method === 'HEAD' ? undefined : found.content)
  return true
}

function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  return ifNoneMatch?.split(',').some((each) => each.trim().replace(/^W\//, '') === etag) ?? false
}
