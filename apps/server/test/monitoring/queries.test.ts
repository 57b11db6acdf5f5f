import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { createTestDatabase, eventually, isInstalled, request, startPrometheus } from '@oxbow/testkit'
import { dashboardFile } from '@oxbow/testkit/monitoring/monitoring-files'
import { shortenRules, shortRange } from '@oxbow/testkit/monitoring/watch-alerts'
import { idleJob, startWatchedServer } from './watched-server.ts'

const skip = isInstalled('prometheus') ? false : 'prometheus is not installed: apt-get install prometheus'

interface Panel {
  title: string
  targets?: { expr: string }[]
}

/**
 * Metrics without data on a healthy server: no standby, no pages of other hosts, no failed
 * requests, no supervisor of processes.
 */
const mayBeEmpty = /standby_lag|outward_requests|processes_replaced|status=~"5/

/** Alerts that depend on the machine of the test and not on the server. */
const alertsOfMachine = new Set(['OxbowDiskNearlyFull'])

const listPanels = (): Panel[] =>
  (JSON.parse(readFileSync(dashboardFile, 'utf8')) as { panels: Panel[] }).panels

/** Returns a query of the dashboard with its variables replaced, as Grafana does it. */
const fillIn = (expr: string): string =>
  expr.replaceAll('$__rate_interval', shortRange).replaceAll('$instance', '.*')

test('every query of the dashboard and of the rules has data, and a missing backup, a stopped node and late or held jobs raise alerts', {
  skip,
}, async () => {
  await using database = await createTestDatabase()
  await using server = await startWatchedServer({ database_url: database.url })
  await using prometheus = await startPrometheus({ targets: server.targets, rules: shortenRules() })
  const { nodes } = server
  const listFiring = async () =>
    new Set((await prometheus.rules()).filter(({ state }) => state === 'firing').map(({ name }) => name))
  const waitForFiring = async (...names: string[]) => {
    let missing = new Set(names)
    await eventually(async () => {
      missing = missing.difference(await listFiring())
      return missing.size === 0
    }).catch((cause) => {
      throw new Error(`these alerts did not fire: ${[...missing].join(', ')}`, { cause })
    })
  }
  const queries = listPanels().flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ title, query: fillIn(expr) })),
  )
  assert.ok(queries.length > 30)

  await server.deliver('Pruned.')
  const upload = new FormData()
  upload.set('file', new File(['four'], 'four.txt'))
  const authorization = `Basic ${btoa(`${server.owner.email}:${server.owner.api_key}`)}`
  await fetch(`${nodes.a.url}/api/v1/user_uploads`, {
    method: 'POST',
    headers: { authorization },
    body: upload,
  })
  const narrow = JSON.stringify([{ operator: 'search', operand: 'pruned' }])
  await request(nodes.a.url, {
    path: '/api/v1/messages',
    query: { anchor: 'newest', num_before: '1', num_after: '0', narrow },
    headers: { authorization },
  })

  // A scrape that takes too long leaves a gap, so every query is repeated until it has data.
  const expectData = async (query: string, name: string) => {
    const hasData = () => prometheus.query(query).then((result) => result.length > 0)
    await eventually(hasData).catch((cause) => {
      throw new Error(`${name} has no data: ${query}`, { cause })
    })
  }
  for (const { title, query } of queries) {
    if (mayBeEmpty.test(query)) await prometheus.query(query)
    else await expectData(query, `the panel "${title}"`)
  }
  await eventually(async () => {
    const [sum] = await prometheus.query('sum(oxbow_messages_sent_total)')
    return sum?.value[1] === '1'
  })

  const rules = await prometheus.rules()
  assert.ok(rules.length > 15)
  for (const { name, query } of rules) {
    for (const part of query.split(' and ')) {
      // What a rule compares has data if its metrics exist.
      const compared = part.split(/ (?:==|!=|>|<) /).filter((operand) => !/^[\d. *]+$/.test(operand))
      for (const measured of compared) {
        if (mayBeEmpty.test(part)) await prometheus.query(measured)
        else await expectData(measured, `the alert ${name}`)
      }
    }
  }

  // The server is new and has no backup yet.
  await waitForFiring('OxbowBackupMissing')
  await database.query(`select graphile_worker.add_job($1, run_at := now() - interval '1 hour')`, [idleJob])
  await database.query('update server set jobs_held_since = now()')
  await nodes.b.stop()
  await waitForFiring('OxbowNodeDown', 'OxbowJobsLate', 'OxbowJobsHeld')

  await database.query('update server set jobs_held_since = null')
  await database.query('delete from graphile_worker._private_jobs')
  await server.restart('b')
  await server.backUp()
  let firing = await listFiring()
  await eventually(async () => {
    firing = (await listFiring()).difference(alertsOfMachine)
    return firing.size === 0
  }).catch((cause) => {
    throw new Error(`these alerts still fire: ${[...firing].join(', ')}`, { cause })
  })
})
