import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eventually } from '@oxbow/testkit'
import { decodeSpans, type ReceivedSpan } from './decode-spans.ts'

/** A server that receives traces by OTLP over HTTP. */
export interface Collector extends AsyncDisposable {
  url: string
  spans: ReceivedSpan[]
  /** Returns the bodies of all received requests, concatenated. */
  bytes(): Buffer
  /** Paths and headers of the requests. */
  requests: { path: string; headers: IncomingHttpHeaders }[]
  /** Waits for a span that matches. */
  waitForSpan(matches: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan>
}

export interface CollectorOptions {
  port?: number
  /** Whether the collector accepts requests and never responds. */
  hangs?: boolean
}

export async function startCollector({ port = 0, hangs = false }: CollectorOptions = {}): Promise<Collector> {
  const spans: ReceivedSpan[] = []
  const bodies: Buffer[] = []
  const requests: Collector['requests'] = []
  const server = createServer(async (request, response) => {
    requests.push({ path: request.url ?? '', headers: request.headers })
    if (hangs) return
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    bodies.push(body)
    spans.push(...decodeSpans(body))
    response.setHeader('content-type', 'application/x-protobuf').end()
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bytes: () => Buffer.concat(bodies),
    requests,
    waitForSpan: (matches) =>
      eventually(() => spans.find(matches)).catch(() => {
        throw new Error(`this span did not arrive: ${matches}; there are ${spans.map(({ name }) => name)}`)
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
