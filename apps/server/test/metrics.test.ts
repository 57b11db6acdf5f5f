import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, test } from 'node:test'
import { basic, eventually, request, startWorld } from '@oxbow/testkit'
import { sendToStream } from '@oxbow/testkit/calls/messages'
import { backUpServer } from '../src/operators/backup.ts'

const metrics_token = 'a token for these metrics'
const world = await startWorld({ ownServer: true, monitorMs: 200, config: { metrics_token } })
after(() => world[Symbol.asyncDispose]())
const iris = await world.person('iris')
const otto = await world.person('otto')
await world.stream('garden', { members: [iris, otto] })

async function readMetrics(node: 'a' | 'b' = 'a'): Promise<string> {
  const headers = { authorization: `Bearer ${metrics_token}` }
  const { status, text } = await request(world.nodes[node].url, { path: '/metrics', headers })
  assert.equal(status, 200)
  return text
}

/** Returns the value of one series; undefined if the node does not publish it. */
const readSeries = (text: string, series: string): number | undefined => {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

test('every counter and gauge of an idle node is published from the start', async () => {
  const text = await eventually(async () => {
    const read = await readMetrics()
    return read.includes('oxbow_jobs_held') && read
  })
  for (const series of [
    'oxbow_messages_sent_total{to="people"}',
    'oxbow_job_failures_total',
    'oxbow_mails_total{outcome="failed"}',
    'oxbow_files_stored_total',
    'oxbow_files_stored_bytes_total',
    'oxbow_file_failures_total{operation="put"}',
    'oxbow_disk_free_bytes{directory="files"}',
    'oxbow_disk_size_bytes{directory="data"}',
    'oxbow_search_seconds_count',
    'oxbow_message_delivery_seconds_count',
    'oxbow_jobs_waiting{kind="mail_sign_up"}',
    'oxbow_jobs_oldest_seconds{kind="mail_sign_up"}',
    'oxbow_jobs_retrying{kind="mail_sign_up"}',
    'oxbow_jobs_given_up{kind="mail_sign_up"}',
    'oxbow_jobs_held',
    'oxbow_scheduled_messages_due',
    'oxbow_scheduled_messages_oldest_due_seconds',
    'oxbow_database_up',
    'oxbow_database_standbys',
    'oxbow_database_connections_limit',
    'oxbow_last_backup_timestamp_seconds',
    'oxbow_events_oldest_poll_seconds',
    'nodejs_eventloop_lag_p99_seconds',
    'process_resident_memory_bytes',
  ])
    assert.notEqual(readSeries(text, series), undefined, series)
  assert.equal(readSeries(text, 'oxbow_database_up'), 1)
  assert.equal(readSeries(text, 'oxbow_last_backup_timestamp_seconds'), 0)
  // The lag is not published, because this database has no standby.
  assert.equal(readSeries(text, 'oxbow_database_standby_lag_seconds'), undefined)
})

test('sends, deliveries to waiting clients on another node, searches and files are counted', async () => {
  const { queue_id, last_event_id } = await otto.events.register({ event_types: ['message'] })
  const poll = request(world.nodes.b.url, {
    path: '/api/v1/events',
    query: { queue_id, last_event_id: String(last_event_id) },
    headers: { authorization: basic(otto) },
  })
  await eventually(() =>
    [...world.nodes.b.app.events.log.organizations.values()].some(({ listening }) => listening.size > 0),
  )
  await sendToStream(iris, 'garden', 'roses', 'Pruned.')
  assert.match((await poll).text, /Pruned/)
  await iris.messages.list({
    anchor: 'newest',
    num_before: 5,
    num_after: 0,
    narrow: [{ operator: 'search', operand: 'pruned' }],
  })
  await world.nodes.a.app.files.put('uploads/test', Buffer.from('four'))

  const [a, b] = [await readMetrics('a'), await readMetrics('b')]
  assert.equal(readSeries(a, 'oxbow_messages_sent_total{to="stream"}'), 1)
  assert.equal(readSeries(b, 'oxbow_message_delivery_seconds_count'), 1)
  assert.equal(readSeries(a, 'oxbow_search_seconds_count'), 1)
  assert.equal(readSeries(a, 'oxbow_files_stored_bytes_total'), 4)
})

/** Labels whose values the code determines. */
const boundedLabels = new Set([
  'le',
  'endpoint',
  'status',
  'state',
  'outcome',
  'to',
  'operation',
  'directory',
  'version',
  // Labels of Node's own metrics.
  'major',
  'minor',
  'patch',
  'type',
  'kind',
  'space',
  'use',
])

test('names and texts of people never become labels', async () => {
  const hostile = 'x"} 1\noxbow_database_up 0\n{"'
  for (const path of [`/${hostile}`, `/api/v1/${hostile}`, '/api/v1/streams/mallory9731'])
    await request(world.nodes.a.url, {
      path: encodeURI(path),
      headers: { 'user-agent': `mallory9731 ${encodeURIComponent(hostile)}`, host: 'mallory9731.example' },
    })
  await sendToStream(iris, 'garden', 'mallory9731', 'mallory9731')
  // Another program could add a job with any name.
  await world.database.query(`select graphile_worker.add_job($1)`, [`mallory9731${hostile}`])
  const text = await eventually(async () => {
    const read = await readMetrics()
    return readSeries(read, 'oxbow_jobs_waiting{kind="other"}') === 1 && read
  })
  assert.doesNotMatch(text, /mallory/i)
  assert.doesNotMatch(text, /garden|roses|iris/i)
  assert.equal(readSeries(text, 'oxbow_database_up'), 1)
  const labels = new Set([...text.matchAll(/[{,](\w+)="/g)].map(([, name]) => name))
  assert.deepEqual(labels.difference(boundedLabels), new Set())
})

test('the time of a backup is published, and only after the backup is complete', async (t) => {
  const { config } = world.nodes.a.app
  const options = { warn: () => {} }
  await assert.rejects(backUpServer(config, '/dev/null/all.oxbow', options))
  const [before] = await world.database.query('select backed_up_at from server')
  assert.equal(before?.backed_up_at, null)
  const file = `${world.files_dir}-backup.oxbow`
  t.after(() => rm(file, { force: true }))
  await backUpServer(config, file, options)
  const [noted] = await world.database.query(
    "select backed_up_at > now() - interval '1 hour' as is_recent from server",
  )
  assert.equal(noted?.is_recent, true)
})
