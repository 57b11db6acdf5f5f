import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isMainThread } from 'node:worker_threads'
import pg from 'pg'

// `node --import` loads this file into a node. The header x-statements of each response then has
// the number of statements that its request sent to PostgreSQL. Statements of concurrent requests
// are not counted.

const requests = new AsyncLocalStorage<{ statements: number }>()

function count(message: unknown): void {
  const { response } = message as { request: IncomingMessage; response: ServerResponse }
  const counted = { statements: 0 }
  const { writeHead } = response
  response.writeHead = ((...args: Parameters<ServerResponse['writeHead']>) => {
    response.setHeader('x-statements', counted.statements)
    return writeHead.apply(response, args)
  }) as ServerResponse['writeHead']
  requests.enterWith(counted)
}

if (isMainThread) {
  subscribe('http.server.request.start', count)
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const counted = requests.getStore()
    if (counted) counted.statements++
    return Reflect.apply(query, this, args)
  } as typeof query
}
