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
    path: pathOf(file),
    name: 'static',
    counts: 'never',
    handle: async (_request, reply) =>
      reply
        .type('image/png')
        .header('cache-control', 'public, max-age=86400')
        .send(readFileSync(join(directory, file))),
  }))
}

/** Emoji are where clients of the protocol look for them; everything else is under `images`. */
function pathOf(file: string): string {
  const emoji = /^emoji\/(.+)$/.exec(file)?.[1]
  return emoji ? `/static/generated/emoji/images/emoji/unicode/${emoji}` : `/static/images/${file}`
}
