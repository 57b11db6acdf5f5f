import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Content of a path: HTML, or a function that responds. */
export type SitePage = string | ((request: IncomingMessage, response: ServerResponse) => void)

export interface WebSite extends AsyncDisposable {
  /** Returns the URL of a path, at a host name that tests resolve to this machine. */
  url(path: string, host?: string): string
  /** Pages by path. Tests can add more. */
  readonly pages: Map<string, SitePage>
  /** All requests, in the order of their arrival. */
  readonly requests: IncomingMessage[]
  count(path: string): number
  /** Returns how many requests of a path lost their connection before the response. */
  countInterrupted(path: string): number
}

/**
 * Starts a web site of a third party, which messages link to. Unknown paths, including robots.txt,
 * get 404.
 */
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

/** Returns a page that responds with this title only after `open` is called. */
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
