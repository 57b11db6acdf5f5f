import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MeasuredPage } from './measured-page.ts'

/**
 * Returns whether a request is for an avatar. Browsers cache avatars, and the rate limit does not
 * count them.
 */
export const isPicture = (request: string): boolean =>
  /^(GET )?(\/user_avatars\/|\/avatar\/|\/static\/images\/default-avatar)/.test(request)

export interface FirstLoad {
  /** Bytes of the scripts after gzip. */
  scripts: number
  styles: number
  /** Requests until the first message was painted, except those for the event stream and avatars. */
  requests: string[]
  apiRequests: string[]
  pictures: string[]
}

/**
 * Returns what a page loaded before the first message was painted. Sizes come from the manifest,
 * because browsers request Brotli instead of gzip.
 */
export async function readFirstLoad({ page }: MeasuredPage): Promise<FirstLoad> {
  const paths = await page.evaluate<string[]>(`figures.firstRow.then((painted) =>
    performance.getEntriesByType('resource').filter(({ startTime }) => startTime < painted).map(({ name }) => new URL(name).pathname))`)
  const requests = ['/', ...paths]
  const { files } = JSON.parse(
    readFileSync(join(process.env.OXBOW_WEB_DIR ?? '', 'manifest.json'), 'utf8'),
  ) as { files: Record<string, { gzip: number }> }
  const counted = requests.filter((request) => request !== '/api/v1/events' && !isPicture(request))
  const sizeOf = (kind: string) =>
    counted
      .filter((request) => request.endsWith(kind))
      .reduce((sum, request) => sum + (files[request.slice(1)]?.gzip ?? 0), 0)
  return {
    scripts: sizeOf('.js'),
    styles: sizeOf('.css'),
    requests: counted,
    apiRequests: counted.filter((request) => request.startsWith('/api/')),
    pictures: requests.filter(isPicture),
  }
}
