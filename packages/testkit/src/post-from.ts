import { type IncomingHttpHeaders, request } from 'node:http'

/** Posts a form from a loopback address of this machine, such as 127.0.3.7. */
export function postFrom(
  localAddress: string,
  url: string,
  form: Record<string, string>,
  more: Record<string, string> = {},
): Promise<{ status: number; headers: IncomingHttpHeaders; body: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...more }
    const sent = request(url, { method: 'POST', localAddress, agent: false, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('error', reject)
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: JSON.parse(Buffer.concat(chunks).toString()),
        }),
      )
    })
    sent.on('error', reject)
    sent.end(new URLSearchParams(form).toString())
  })
}
