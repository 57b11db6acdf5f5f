import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../platform/app.ts'
import { sendClientFile } from './send-client-file.ts'
import { getWebClient } from './web-client.ts'

/** Sends the document of the client. Returns false, without a response, if the client was not built. */
export async function sendClient(app: App, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  const { current, headers } = getWebClient(app)
  const document = current?.files.get('/index.html')
  return document ? sendClientFile(document, request, reply, { headers, keeps: true }) : false
}
