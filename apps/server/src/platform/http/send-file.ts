import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'

export interface SentFile {
  key: string
  type: string
  /** What stands for the content: the same one never stands for another content under this URL. */
  etag: string
  cacheControl: string
}

/** For ever, because another content has another URL. */
export const unchanging = 'public, max-age=31536000, immutable'

/** Whatever the file is taken for, it can load nothing, run nothing and reach nothing of ours. */
const policy = "default-src 'none'; sandbox; frame-ancestors 'none'"

/** False where there is no such file, and nothing was answered. Not the reply: whoever awaits one waits for its end and gets nothing. */
export async function sendFile(
  { files }: Pick<App, 'files'>,
  { key, type, etag, cacheControl }: SentFile,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const headers = { etag: `"${etag}"`, 'cache-control': cacheControl, 'content-security-policy': policy }
  if (isKnown(request.headers['if-none-match'], headers.etag)) {
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

function isKnown(given: string | undefined, etag: string): boolean {
  return given?.split(',').some((each) => each.trim().replace(/^W\//, '') === etag) ?? false
}
