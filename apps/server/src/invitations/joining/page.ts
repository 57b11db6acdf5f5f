import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../platform/app.ts'
import type { Html } from '../../platform/html.ts'
import { readRequest, strangersBodyLimit } from '../../platform/http/arguments.ts'
import { type ResolvedHost, resolveRequest } from '../../platform/http/host.ts'
import { secretPageHeaders } from '../../platform/http/secret-page-headers.ts'
import { renderPage } from '../../platform/page-layout.ts'

export const getKey = ({ params }: FastifyRequest): string => (params as { key: string }).key

export const getHost = ({ config }: App, request: FastifyRequest): ResolvedHost =>
  resolveRequest(config, request)

export async function readForm(request: FastifyRequest): Promise<ReadonlyMap<string, string>> {
  const { contentType } = request
  const { arguments: given } = await readRequest(request.raw, { limit: strangersBodyLimit, contentType })
  return new Map([...given].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])))
}

export function sendPage(reply: FastifyReply, status: number, title: string, content: Html): FastifyReply {
  return reply.code(status).headers(secretPageHeaders).type('text/html').send(renderPage(title, content))
}
