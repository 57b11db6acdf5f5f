import { type Config, loadConfig, openApp } from '@oxbow/server'

export type App = Awaited<ReturnType<typeof openApp>>['app']

/**
 * Opens the database for one command. Only errors are logged, so that the command's output is not
 * interrupted.
 */
export async function withApp<Result>(work: (app: App) => Promise<Result>): Promise<Result> {
  const config: Config = { ...loadConfig().config, log_level: 'error' }
  const { app, close } = await openApp(config)
  try {
    return await work(app)
  } finally {
    await close()
  }
}
