import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { eventually, startPostgresServer } from '@oxbow/testkit'
import { sendToStream } from '@oxbow/testkit/calls/messages'
import { withSession } from '@oxbow/testkit/garden/database-dump'
import { createGardenOrganization, startNodeOn } from '@oxbow/testkit/garden/garden'
import { bySize } from '@oxbow/testkit/size'
import { asPostgres } from './cluster-files.ts'
import { assertQueueRefused, openMessageQueue } from './messages.ts'

// Runs the commands of the section "Continuous archiving" of docs/operating/backup.md, with its files.

const page = readFileSync(join(import.meta.dirname, '../../../../docs/operating/backup.md'), 'utf8')
const section = page.split('## Continuous archiving')[1] ?? ''
const blocks = [...section.matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)].map(([, language, text]) => ({
  language,
  text: text ?? '',
}))
const [configuration, postgresSettings, commands, restoreCommand] = blocks.map(({ text }) => text)

const reason = bySize({
  gate: 'part of the long lane',
  long: existsSync('/usr/bin/pgbackrest') ? '' : 'pgBackRest is not installed',
})
const skip = reason !== '' && reason

test('a database with continuous archiving is restored to a point in time, and a node serves it', {
  skip,
}, async () => {
  const directory = mkdtempSync(join(tmpdir(), 'oxbow-archive-'))
  after(() => rmSync(directory, { recursive: true, force: true }))
  if (process.getuid?.() === 0) execFileSync('chown', ['postgres', directory])
  const configurationFile = join(directory, 'pgbackrest.conf')
  // Paths for which the page relies on Debian's defaults.
  const environment = {
    PGBACKREST_CONFIG: configurationFile,
    PGBACKREST_LOG_PATH: directory,
    PGBACKREST_LOCK_PATH: directory,
    PGBACKREST_SPOOL_PATH: directory,
  }
  await using postgres = await startPostgresServer({ env: environment })
  const data = join(postgres.directory, 'data')
  writeFileSync(
    configurationFile,
    `${(configuration ?? '')
      .replace('/var/lib/postgresql/15/main', data)
      .replace('/var/lib/pgbackrest', join(directory, 'repository'))}
pg1-port=${postgres.port}
pg1-socket-path=${postgres.directory}
`,
  )
  appendFileSync(join(data, 'postgresql.conf'), postgresSettings ?? '')
  await postgres.restart()
  const assignments = Object.entries(environment).map(([name, value]) => `${name}='${value}'`)
  const run = (command: string) => asPostgres(`env ${assignments.join(' ')} ${command}`)
  const url = postgres.url('oxbow')

  const { garden, kept, queue, target } = await (async () => {
    await using started = await startNodeOn(url)
    const garden = await createGardenOrganization(started)
    for (const line of (commands ?? '').trim().split('\n')) run(line.replace(/#.*/, ''))
    const iris = started.as(garden.iris)
    const kept = await sendToStream(iris, 'roses', 'spring', 'Before the mistake.')
    const queue = await openMessageQueue(iris)
    // The target time has whole seconds, and must be later than the message that is kept.
    const target = await withSession(url, async (client) => {
      const read = async () =>
        (await client.query("select date_trunc('second', now())::text as now")).rows[0].now
      const first = await read()
      return eventually(async () => {
        const now: string = await read()
        return now !== first && now
      })
    })
    const lost = await sendToStream(iris, 'roses', 'spring', 'The mistake.')
    await queue.readTo(lost)
    await withSession(url, async (client) => {
      await client.query('delete from message')
      const { rows } = await client.query('select pg_walfile_name(pg_switch_wal()) as segment')
      // Recovery fails if no commit after the target is in the archive, and the crash below stops archiving.
      await eventually(async () => {
        const archived = await client.query('select last_archived_wal >= $1 as is from pg_stat_archiver', [
          rows[0].segment,
        ])
        return archived.rows[0].is === true
      })
    })
    return { garden, kept, queue, target }
  })()

  postgres.kill()
  run((restoreCommand ?? '').trim().replace(/--target='[^']*'/, `--target='${target}'`))
  postgres.start()
  await eventually(() =>
    withSession(
      url,
      async (client) => !(await client.query('select pg_is_in_recovery() as is')).rows[0].is,
    ).catch(() => false),
  )

  await using started = await startNodeOn(url)
  const iris = started.as(garden.iris)
  const { messages } = await iris.messages.list({ anchor: 'newest', num_before: 100, num_after: 0 })
  assert.equal(messages.at(-1)?.id, kept)
  const next = await sendToStream(iris, 'roses', 'spring', 'After the restore.')
  assert.ok(next >= kept + 999_000, `${next} after ${kept}`)
  await assertQueueRefused(queue.on(iris))
})
