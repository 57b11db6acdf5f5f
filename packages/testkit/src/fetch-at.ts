import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'

/** `fetch` with another name in the Host header, which the built-in one does not let us set. */
export function fetchAt(host: string): typeof fetch {
  return async (input, init = {}) => {
    const body = init.body === undefined || init.body === null ? undefined : String(init.body)
    const headers: Record<string, string> = { ...(init.headers as Record<string, string>), host }
    if (init.body instanceof URLSearchParams) headers['content-type'] = 'application/x-www-form-urlencoded'
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    const sent = request(String(input), { method: init.method, headers }, async (incoming) => {
      const { statusCode: status = 0, headers: received } = incoming
      const answer = await buffer(incoming)
      resolve(new Response(new Uint8Array(answer), { status, headers: received as Record<string, string> }))
    })
    sent.on('error', reject)
    sent.end(body)
    return promise
  }
}
