import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'

/** Returns a `fetch` that sends this Host header, which the built-in `fetch` cannot set. */
export function fetchAt(host: string): typeof fetch {
  return async (input, init = {}) => {
    const headers: Record<string, string> = { ...(init.headers as Record<string, string>), host }
    // `Response` encodes forms and sets their content type.
    const body = new Response(init.body ?? null)
    const type = body.headers.get('content-type')
    if (type && typeof init.body !== 'string') headers['content-type'] = type
    const bytes = Buffer.from(await body.arrayBuffer())
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    const sent = request(String(input), { method: init.method, headers }, async (incoming) => {
      const { statusCode: status = 0, headersDistinct } = incoming
      const received = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [name, value]),
      )
      const response = await buffer(incoming)
      resolve(new Response(new Uint8Array(response), { status, headers: received }))
    })
    sent.on('error', reject)
    sent.end(init.body ? bytes : undefined)
    return promise
  }
}
