import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MeasuredPage } from './measured-page.ts'

/** Whether a request is for the picture of a person. Browsers keep them, and they do not count against the rate limit. */
export const isPicture = (request: string): boolean =>
  /^(GET )?(\/user_avatars\/|\/avatar\/|\/static\/images\/default-avatar)/.test(request)

export interface FirstLoad {
  /** Bytes after gzip. */
  scripts: number
  styles: number
  /** Requests until the first message was painted, apart from the stream of events and pictures of people. */
  requests: string[]
  apiRequests: string[]
  pictures: string[]
}

/**
 * Adds up what a page loaded before the first message was painted; sizes are those of the manifest, because browsers
 * ask for Brotli.
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
