import type { ReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { matchesEtag } from '../../platform/http/send-file.ts'
import { type ClientFile, chooseEncoding, pathOf } from './client-release.ts'

/**
 * Sends a file of the client in the best encoding that the browser accepts. Returns false and sends
 * nothing if the file is no longer on disk.
 */
export async function sendClientFile(
  file: ClientFile,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const encoding = chooseEncoding(request.headers['accept-encoding'], file)
  const etag = `"${file.hash}-${encoding}"`
  const common = { etag, vary: 'accept-encoding', 'cache-control': file.cacheControl }
  if (matchesEtag(request.headers['if-none-match'], etag)) {
    reply.code(304).headers(common).send()
    return true
  }
  const content = await openContent(pathOf(file, encoding))
  if (!content) return false
  reply.headers({
    ...common,
    'content-type': file.type,
    'content-length': file.sizes[encoding],
    ...(encoding !== 'identity' && { 'content-encoding': encoding }),
  })
  if (request.method === 'HEAD') content.destroy()
  reply.send(request.method === 'HEAD' ? undefined : content)
  return true
}

/** Opens the file before the response starts, so that a missing file can still get a 404. */
async function openContent(path: string): Promise<ReadStream | undefined> {
  try {
    const handle = await open(path)
    return handle.createReadStream()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
