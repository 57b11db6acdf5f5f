import { type Config, makeLog } from '@oxbow/server'
import { stopOnSignals } from '../stop-on-signals.ts'
import { announce } from './announce.ts'
import { Supervisor } from './supervisor.ts'

/** Runs the processes of `oxbow serve` until a signal stops them. SIGHUP restarts them one after the other. */
export async function supervise(config: Config): Promise<void> {
  const log = makeLog(config)
  const drainMs = config.drain_seconds * 1_000
  const supervisor = new Supervisor({
    count: config.processes,
    drainMs,
    report: (level, fields, message) => log[level](fields, message),
  })
  stopOnSignals(drainMs, (drain) => supervisor.stop(drain))
  process.on('SIGHUP', () => void supervisor.restart())
  try {
    announce(await supervisor.start(), config.processes)
  } catch (error) {
    if (supervisor.isStopping) return
    supervisor.kill()
    throw error
  }
}
