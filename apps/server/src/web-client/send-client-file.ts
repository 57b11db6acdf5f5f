import type { ReadStream } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { matchesEtag } from '../platform/http/send-file.ts'
import { type ClientFile, chooseEncoding, type Encoding, pathOf } from './client-release.ts'

/** Texts of `index.html`, which is small and part of every visit; all other files stay on disk. */
type KeptTexts = Map<Encoding, Buffer>
const kept = new WeakMap<ClientFile, KeptTexts>()

export interface SendOptions {
  headers?: Readonly<Record<string, string>>
  /** Keeps the content in memory after the first request. */
  keeps?: boolean
}

/**
 * Sends a file of the client in the best encoding that the browser accepts. Returns false, without a
 * response, if the file is gone from disk.
 */
export async function sendClientFile(
  file: ClientFile,
  request: FastifyRequest,
  reply: FastifyReply,
  { headers = {}, keeps = false }: SendOptions = {},
): Promise<boolean> {
  const encoding = chooseEncoding(request.headers['accept-encoding'], file)
  const etag = `"${file.hash}-${encoding}"`
  const common = { etag, vary: 'accept-encoding', 'cache-control': file.cacheControl, ...headers }
  if (matchesEtag(request.headers['if-none-match'], etag)) {
    reply.code(304).headers(common).send()
    return true
  }
  const content = keeps ? await readKept(file, encoding) : await openContent(pathOf(file, encoding))
  if (!content) return false
  reply.headers({
    ...common,
    'content-type': file.type,
    'content-length': file.sizes[encoding],
    ...(encoding !== 'identity' && { 'content-encoding': encoding }),
  })
  if (request.method !== 'HEAD') reply.send(content)
  else {
    if (!Buffer.isBuffer(content)) content.destroy()
    reply.send()
  }
  return true
}

async function readKept(file: ClientFile, encoding: Encoding): Promise<Buffer> {
  const texts = kept.get(file) ?? new Map<Encoding, Buffer>()
  kept.set(file, texts)
  const known = texts.get(encoding)
  if (known) return known
  const text = await readFile(pathOf(file, encoding))
  texts.set(encoding, text)
  return text
}

/** Opens the file before the response starts, so that a missing one is still a 404. */
async function openContent(path: string): Promise<ReadStream | undefined> {
  try {
    const handle = await open(path)
    return handle.createReadStream()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
