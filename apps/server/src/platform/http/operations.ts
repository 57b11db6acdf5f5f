import { isIP } from 'node:net'
import { sql } from 'kysely'
import type { App } from '../app.ts'
import type { Page } from './http-server.ts'

export interface Readiness {
  /** False from the moment the node begins to stop. */
  accepting: boolean
}

/** What balancers and monitoring ask. */
export function operationsPages(app: App, readiness: Readiness): Page[] {
  return [
    {
      path: '/health',
      name: 'health',
      handle: async (_request, reply) => reply.send({ status: 'ok' }),
    },
    {
      path: '/ready',
      name: 'ready',
      handle: async (_request, reply) => {
        const reason = readiness.accepting ? await databaseProblem(app) : 'stopping'
        if (reason) return reply.code(503).header('retry-after', '5').send({ status: 'not ready', reason })
        return reply.send({ status: 'ready' })
      },
    },
    {
      path: '/metrics',
      name: 'metrics',
      handle: async (request, reply) => {
        const proxied = 'x-forwarded-for' in request.headers || 'forwarded' in request.headers
        if (proxied || !isPrivate(request.ip)) {
          return reply
            .code(403)
            .type('text/plain')
            .send('Metrics are for this machine and its network only.\n')
        }
        return reply.type(app.metrics.registry.contentType).send(await app.metrics.registry.metrics())
      },
    },
  ]
}

async function databaseProblem(app: App): Promise<string | undefined> {
  if (app.events.log.isCutOff) return 'PostgreSQL has not answered for more than five seconds'
  try {
    await sql`select 1`.execute(app.db)
    return undefined
  } catch {
    return 'PostgreSQL cannot be reached'
  }
}

function isPrivate(address: string): boolean {
  const ip = address.replace(/^::ffff:/, '')
  if (isIP(ip) === 4) return /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/.test(ip)
  return ip === '::1' || /^f[cd]/i.test(ip)
}
