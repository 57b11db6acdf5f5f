import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from './http-server.ts'

const directory = join(import.meta.dirname, '..', '..', '..', 'static')

/** The few pictures that our answers and pages may point to: everything in `static`, and nothing else. */
export function staticPages(): Page[] {
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.png'),
  )
  return files.map((file) => ({
    path: `/static/images/${file}`,
    name: 'static',
    handle: async (_request, reply) =>
      reply
        .type('image/png')
        .header('cache-control', 'public, max-age=86400')
        .send(readFileSync(join(directory, file))),
  }))
}
