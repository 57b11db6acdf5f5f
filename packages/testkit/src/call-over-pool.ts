import { Agent, type ClientRequest, request } from 'node:http'

export interface Call {
  method?: string
  path: string
  authorization: string
  form?: Record<string, string>
  headers?: Record<string, string>
  /**
   * The request fails after this time without a byte, because a suspended process does not close
   * its connections.
   */
  timeoutMs: number
}

export interface CallResponse {
  status: number
  body: Record<string, unknown>
}

/** Returns whether a response is an error that no injected fault explains. */
export const isUnexplainedError = ({ status, body }: CallResponse): boolean =>
  status !== 200 && (status < 500 || body.code === 'INTERNAL_ERROR')

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })

/**
 * Sends a request over a shared pool of connections, which is cheap enough for hundreds of clients
 * in one process. `onSent` receives the request, so that the caller can abort it.
 */
export async function callOverPool(
  url: string,
  callOptions: Call,
  onSent: (sent: ClientRequest) => void = () => {},
): Promise<CallResponse> {
  const body = callOptions.form && new URLSearchParams(callOptions.form).toString()
  const { promise, resolve, reject } = Promise.withResolvers<CallResponse>()
  const headers = {
    ...callOptions.headers,
    authorization: callOptions.authorization,
    ...(body !== undefined && {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': String(Buffer.byteLength(body)),
    }),
  }
  const options = { agent, method: callOptions.method ?? 'GET', headers, timeout: callOptions.timeoutMs }
  const sent = request(url + callOptions.path, options, (received) => {
    let response = ''
    received.setEncoding('utf8')
    received.on('data', (chunk) => (response += chunk))
    received.on('end', () => resolve({ status: received.statusCode ?? 0, body: parse(response) }))
    received.on('error', reject)
  })
  sent.on('timeout', () => sent.destroy(new Error(`no answer in ${callOptions.timeoutMs} ms`)))
  sent.on('error', reject)
  onSent(sent)
  sent.end(body)
  return promise
}

function parse(response: string): Record<string, unknown> {
  try {
    return JSON.parse(response)
  } catch {
    return {}
  }
}
