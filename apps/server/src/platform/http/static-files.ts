import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findAssetPath } from '@oxbow/assets'
import type { Page } from './http-server.ts'

const directory = findAssetPath('static')

/** Routes of the pictures in `static`, to which responses and pages refer. */
export function staticPages(): Page[] {
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.png'),
  )
  return files.map((file) => ({
    path: pathOf(file),
    name: 'static',
    anonymousLimit: 'never',
    handle: async (_request, reply) =>
      reply
        .type('image/png')
        .header('cache-control', 'public, max-age=86400')
        .send(readFileSync(join(directory, file))),
  }))
}

/**
 * Returns the URL path of a picture. Emoji have the path that existing clients expect; all others are under
 * `images`.
 */
function pathOf(file: string): string {
  const emoji = /^emoji\/(.+)$/.exec(file)?.[1]
  return emoji ? `/static/generated/emoji/images/emoji/unicode/${emoji}` : `/static/images/${file}`
}
