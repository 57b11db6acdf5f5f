import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { connectionOptions } from '@oxbow/server'
import { measureOxbow, startPostgresServer } from '@oxbow/testkit'
import { createGardenOrganization, startNodeOn } from '@oxbow/testkit/garden/garden'
import { bySize } from '@oxbow/testkit/size'
import pg from 'pg'
import { environmentFor } from './run-oxbow.ts'

const directory = mkdtempSync(join(tmpdir(), 'oxbow-backup-'))
const postgres = await startPostgresServer({ database: 'oxbow' })
after(async () => {
  await postgres[Symbol.asyncDispose]()
  rmSync(directory, { recursive: true, force: true })
})
const messages = bySize({ gate: 20_000, long: 1_000_000 })
/** Maximum difference between the memory for many messages and for few. */
const maxGrowthMb = 120

async function addMessages(count: number): Promise<void> {
  const client = new pg.Client({
    ...connectionOptions(postgres.url('oxbow')),
    statement_timeout: 0,
    query_timeout: 0,
  })
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    "select attname as name from pg_attribute where attrelid = 'message'::regclass and attnum > 0 and attgenerated = '' and not attisdropped order by attnum",
  )
  const names = rows.map(({ name }) => name)
  const values = names.map((name) => {
    if (name === 'id') return "nextval('message_id')"
    if (name === 'content' || name === 'rendered_content')
      return `'Pruned rose ' || number || ' of ' || md5(number::text) || repeat(' with care', number % 20)`
    return `sample.${name}`
  })
  await client.query(
    `insert into message (${names.join(', ')}) select ${values.join(', ')}
     from (select * from message order by id limit 1) as sample, generate_series(1, ${count}) as number`,
  )
  await client.end()
}

test('memory of backup, verify and restore does not grow with the database', async (context) => {
  {
    await using node = await startNodeOn(postgres.url('oxbow'), { data_dir: join(directory, 'original') })
    await createGardenOrganization(node)
  }
  const { env } = environmentFor(postgres.url('oxbow'))
  env.OXBOW_SECRET = 'a secret for tests, as long as it must be'
  const measureAll = async (name: string) => {
    const file = join(directory, `${name}.backup`)
    const target = { ...env, DATABASE_URL: postgres.url(name), OXBOW_DATA_DIR: join(directory, name) }
    const steps = {
      backup: await measureOxbow(env, 'backup', file),
      verify: await measureOxbow(env, 'backup', 'verify', file),
      restore: await measureOxbow(target, 'restore', file),
    }
    for (const [step, { seconds, peakMb }] of Object.entries(steps))
      context.diagnostic(`${name}: ${step} ${seconds.toFixed(1)} s, ${peakMb.toFixed(0)} MB`)
    context.diagnostic(`${name}: ${(statSync(file).size / 1e6).toFixed(1)} MB`)
    return steps
  }
  const few = await measureAll('few')
  await addMessages(messages)

  const many = await measureAll('many')

  for (const step of ['backup', 'verify', 'restore'] as const)
    assert.ok(
      many[step].peakMb < few[step].peakMb + maxGrowthMb,
      `${step}: ${few[step].peakMb} MB, then ${many[step].peakMb} MB`,
    )
})
