import { join } from 'node:path'
import type { Feature, Work } from '../../feature.ts'
import type { App } from '../../platform/app.ts'
import { clientPages } from './client-pages.ts'
import { keepRelease } from './keep-release.ts'
import { getWebClient } from './web-client.ts'

/** Files of the web client, of this release and, for a day after an upgrade, of the previous one. */
export const webClientFeature = {
  pages: clientPages,
  start: startKeeping,
} satisfies Feature

function startKeeping(app: App): Work {
  const keeping = keepCurrent(app).catch((err) => {
    app.log.warn(
      { err },
      'the web client could not be kept in data_dir: tabs that are open during the next upgrade have to be reloaded',
    )
  })
  return { stop: () => keeping }
}

async function keepCurrent(app: App): Promise<void> {
  const client = getWebClient(app)
  if (client.current) client.previous = await keepRelease(client.current, join(app.config.data_dir, 'web'))
}
