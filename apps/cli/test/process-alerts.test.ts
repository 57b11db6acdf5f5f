import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createTestDatabase, eventually, freePort, isInstalled, testSecret } from '@oxbow/testkit'
import { watchAlerts } from '@oxbow/testkit/monitoring/watch-alerts'
import { bySize } from '@oxbow/testkit/size'
import { environmentFor } from './run-oxbow.ts'
import { serveProcesses, startMs } from './serve-processes.ts'

const isMissing = !isInstalled('prometheus') || !isInstalled('prometheus-alertmanager')
const skip = isMissing
  ? 'needs Prometheus: apt-get install prometheus prometheus-alertmanager'
  : bySize<string | false>({ gate: 'runs in the long lane: each fault takes about a minute', long: false })

test('a process that is starved fires OxbowEventLoopSlow, and processes that are killed fire OxbowProcessCrashes', {
  skip,
}, async () => {
  await using database = await createTestDatabase()
  const target = `127.0.0.1:${await freePort()}`
  const { env } = environmentFor(database.url)
  const settings = { OXBOW_METRICS_LISTEN: target, OXBOW_SECRET: testSecret }
  await using served = await serveProcesses({ env: { ...env, ...settings } }, 2)
  await using alerts = await watchAlerts([target])
  await eventually(async () => (await alerts.prometheus.query('oxbow_processes == 2')).length > 0, startMs)

  // A process that gets the processor for only a part of each second.
  const [starved = 0] = served.pids()
  let isSlow = false
  const firing = alerts.waitForFiring('OxbowEventLoopSlow').then(() => {
    isSlow = true
  })
  while (!isSlow) {
    process.kill(starved, 'SIGSTOP')
    await setTimeout(900)
    process.kill(starved, 'SIGCONT')
    await Promise.race([firing, setTimeout(300)])
  }
  await alerts.waitForResolved('OxbowEventLoopSlow')

  let isCrashing = false
  const crashing = alerts.waitForFiring('OxbowProcessCrashes').then(() => {
    isCrashing = true
  })
  // One process is spared, because Oxbow ends if none is left.
  const [spared] = served.pids()
  while (!isCrashing) {
    for (const pid of served.pids()) if (pid !== spared) process.kill(pid, 'SIGKILL')
    await Promise.race([crashing, setTimeout(500)])
  }
  await alerts.waitForResolved('OxbowProcessCrashes')
  await eventually(async () => (await alerts.prometheus.query('oxbow_processes == 2')).length > 0, startMs)
})
