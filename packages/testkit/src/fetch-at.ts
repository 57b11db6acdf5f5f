import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'

/** `fetch` with another name in the Host header, which the built-in one does not let us set. */
export function fetchAt(host: string): typeof fetch {
  return async (input, init = {}) => {
    const headers: Record<string, string> = { ...(init.headers as Record<string, string>), host }
    // Knows how forms are written, and what they are called then.
    const body = new Response(init.body ?? null)
    const type = body.headers.get('content-type')
    if (type && typeof init.body !== 'string') headers['content-type'] = type
    const bytes = Buffer.from(await body.arrayBuffer())
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    const sent = request(String(input), { method: init.method, headers }, async (incoming) => {
      const { statusCode: status = 0, headers: received } = incoming
      const answer = await buffer(incoming)
      resolve(new Response(new Uint8Array(answer), { status, headers: received as Record<string, string> }))
    })
    sent.on('error', reject)
    sent.end(init.body ? bytes : undefined)
    return promise
  }
}
