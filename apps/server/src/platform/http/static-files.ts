import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from './http-server.ts'

const directory = join(import.meta.dirname, '..', '..', '..', 'static')

const files = {
  '/static/images/default-avatar.png': 'default-avatar.png',
  '/static/images/default-icon.png': 'default-icon.png',
}

/** The few pictures that the API's answers may point to. */
export function staticPages(): Page[] {
  return Object.entries(files).map(([path, file]) => {
    const bytes = readFileSync(join(directory, file))
    return {
      path,
      name: 'static',
      handle: async (_request, reply) =>
        reply.type('image/png').header('cache-control', 'public, max-age=86400').send(bytes),
    }
  })
}
