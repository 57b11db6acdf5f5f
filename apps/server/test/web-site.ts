import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Serves a path: the HTML itself, or a function that answers. */
export type SitePage = string | ((request: IncomingMessage, response: ServerResponse) => void)

export interface WebSite extends AsyncDisposable {
  /** The URL of a path, at a host name that tests resolve to this machine. */
  url(path: string, host?: string): string
  /** Pages by path; more can be added. */
  readonly pages: Map<string, SitePage>
  /** Requests by path, in order of arrival. */
  readonly requests: IncomingMessage[]
  count(path: string): number
  /** Requests of a path whose connections ended before they were answered. */
  countInterrupted(path: string): number
}

/** Starts a web site of strangers, which messages link to. Unknown paths, robots.txt among them, are not found. */
export async function startWebSite(
  firstPages: Record<string, SitePage> = {},
  address = '127.0.0.1',
): Promise<WebSite> {
  const pages = new Map(Object.entries(firstPages))
  const requests: IncomingMessage[] = []
  const interrupted: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    requests.push(request)
    response.on('close', () => {
      if (!response.writableFinished) interrupted.push(path)
    })
    const page = pages.get(path)
    if (typeof page === 'function') page(request, response)
    else if (page === undefined) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
  })
  await new Promise<void>((resolve) => server.listen(0, address, resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: (path, host = 'tea.example') => `http://${host}:${port}${path}`,
    pages,
    requests,
    count: (path) => requests.filter(({ url }) => url === path).length,
    countInterrupted: (path) => interrupted.filter((interruptedPath) => interruptedPath === path).length,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Answers with a page of this title as soon as `open` is called. */
export function makeHeldPage(title: string): { page: SitePage; open: () => void; waiting: () => number } {
  const held: ServerResponse[] = []
  let isOpen = false
  const respond = (response: ServerResponse) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>${title}</title>`)
  return {
    page: (_request, response) => void (isOpen ? respond(response) : held.push(response)),
    open() {
      isOpen = true
      for (const response of held) respond(response)
    },
    waiting: () => held.length,
  }
}
