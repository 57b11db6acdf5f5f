import { readFile } from 'node:fs/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../platform/app.ts'
import { matchesEtag } from '../../platform/http/send-file.ts'
import { type ClientFile, pathOf } from './client-release.ts'
import { getWebClient, type WebClient } from './web-client.ts'

/** Sends the client's document. Returns false and sends nothing if the client was not built. */
export async function sendClient(app: App, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  const client = getWebClient(app)
  const file = client.current?.files.get('/index.html')
  if (!file) return false
  const { text, headers } = documents.get(client) ?? (await readDocument(client, file))
  reply.headers(headers)
  if (matchesEtag(request.headers['if-none-match'], headers.etag)) reply.code(304).send()
  else reply.header('content-type', file.type).send(text)
  return true
}

interface Document {
  text: string
  headers: Readonly<Record<string, string>> & { readonly etag: string }
}

/**
 * Documents in memory, because they are small and every visit needs one. They are not compressed,
 * because they fit into the first packets anyway.
 */
const documents = new WeakMap<WebClient, Document>()

async function readDocument(client: WebClient, file: ClientFile): Promise<Document> {
  const text = await readFile(pathOf(file, 'identity'), 'utf8')
  const headers = { etag: `"${file.hash}"`, 'cache-control': file.cacheControl, ...client.headers }
  const document = { text, headers }
  documents.set(client, document)
  return document
}
