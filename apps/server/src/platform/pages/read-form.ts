import type { FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { resolveRequest } from '../http/host.ts'
import { refuseForeignOrigin } from '../http/read-caller.ts'
import { anonymousBodyLimit, readQuery, readRequestBody } from '../http/request-input.ts'

/** Returns the key in the path of a page, `/join/:key`. */
export const getKey = ({ params }: FastifyRequest): string => (params as { key: string }).key

/**
 * Reads the fields of a posted form. Throws `CROSS_ORIGIN` if a page of another site posted it. Parameters in
 * the query of the URL are ignored, so that a link cannot tick a box that the person left empty.
 */
export async function readForm(
  { config }: Pick<App, 'config'>,
  request: FastifyRequest,
): Promise<ReadonlyMap<string, string>> {
  refuseForeignOrigin(resolveRequest(config, request), request.headers)
  const { contentType } = request
  const { arguments: fields } = await readRequestBody(request.raw, { limit: anonymousBodyLimit, contentType })
  return new Map([...fields].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])))
}

/** Reads a parameter of the query; undefined if there is none. */
export function readQueryText({ raw }: FastifyRequest, name: string): string | undefined {
  const value = readQuery(raw).get(name)
  return typeof value === 'string' ? value : undefined
}
