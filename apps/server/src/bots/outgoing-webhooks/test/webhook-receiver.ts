import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A call of an outgoing webhook, as its receiver got it. */
interface ReceivedCall {
  method: string
  headers: IncomingHttpHeaders
  body: string
}

/** Answers a call: an object is sent as JSON. */
type Answering = object | ((call: ReceivedCall, response: ServerResponse) => void)

export interface WebhookReceiver extends AsyncDisposable {
  /** The URL of a path, at a host name that tests resolve to this machine. */
  url(path: string): string
  /** Sets how calls of a path are answered. */
  answer(path: string, answering: Answering): void
  /** Calls of a path, in the order of their arrival. */
  callsOf(path: string): readonly ReceivedCall[]
}

/** Starts a server that outgoing webhooks call. Paths without an answer get 404. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const answers = new Map<string, Answering>()
  const calls = new Map<string, ReceivedCall[]>()
  const callsOf = (path: string) => {
    const found = calls.get(path) ?? []
    calls.set(path, found)
    return found
  }
  const server = createServer(async (request, response) => {
    const path = request.url ?? ''
    const call = { method: request.method ?? '', headers: request.headers, body: await text(request) }
    callsOf(path).push(call)
    const answering = answers.get(path)
    if (typeof answering === 'function') answering(call, response)
    else if (answering === undefined) response.writeHead(404).end('nothing here')
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answering))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: (path) => `http://bots.example:${port}${path}`,
    answer: (path, answering) => void answers.set(path, answering),
    callsOf,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
