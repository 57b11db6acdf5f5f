import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createTestDatabase, measureOxbow, testSecret } from '@oxbow/testkit'
import { createFullOrganization } from '@oxbow/testkit/garden/full-garden'
import { startNodeOn } from '@oxbow/testkit/garden/garden'
import { bySize } from '@oxbow/testkit/size'
import { environmentFor } from './run-oxbow.ts'

const directory = mkdtempSync(join(tmpdir(), 'oxbow-transfer-'))
const source = await createTestDatabase()
const target = await createTestDatabase()
after(async () => {
  await source[Symbol.asyncDispose]()
  await target[Symbol.asyncDispose]()
  rmSync(directory, { recursive: true, force: true })
})

/** The number of messages. The test exports a tenth of them first, and then all. */
const messages = bySize({ gate: 4_000, long: 200_000 })
/**
 * Heap limit of the commands, in MB. With a larger heap, Node.js collects garbage late, which looks like
 * growth. With this limit, a command that retains data of every message fails.
 */
const heapMb = 64
/** Maximum difference between the memory for a tenth of the messages and for all of them. */
const maxGrowthMb = 40

/** Adds messages with texts of different lengths, which nobody has read. */
const addMessages = (count: number): Promise<unknown> =>
  source.query(`
    insert into message (organization_id, id, sent_recipient_id, recipient_id, arrived_id, outbox_id, sender_id, sent_at,
      is_private, mentions_wildcard, has_link, has_image, has_attachment, client, topic, folded_topic, content, rendered_content)
    select sample.organization_id, each.id, sample.recipient_id, sample.recipient_id, each.id, nextval('outbox_id'), sample.sender_id,
      now(), false, false, false, false, false, 'test', 'spring', 'spring', each.text, '<p>' || each.text || '</p>'
    from (select * from message where not is_private order by id limit 1) as sample,
      lateral (
        select nextval('message_id') as id, 'Pruned rose ' || number || repeat(' with care', number % 20) as text
        from generate_series(1, ${count}) as number) as each`)

test('memory of export and import does not grow with the number of messages', async (context) => {
  const [from, to] = [environmentFor(source.url).env, environmentFor(target.url).env]
  for (const env of [from, to])
    Object.assign(env, { OXBOW_SECRET: testSecret, NODE_OPTIONS: `--max-old-space-size=${heapMb}` })
  {
    await using node = await startNodeOn(source.url, { data_dir: String(from.OXBOW_DATA_DIR) })
    await createFullOrganization(node)
  }
  const measureBoth = async (name: string) => {
    const path = join(directory, name)
    const steps = {
      export: await measureOxbow(from, 'organization', 'export', path),
      import: await measureOxbow(to, 'organization', 'import', path, '--subdomain', name),
    }
    for (const [step, { seconds, peakMb }] of Object.entries(steps))
      context.diagnostic(`${name}: ${step} ${seconds.toFixed(1)} s, ${peakMb.toFixed(0)} MB`)
    return steps
  }
  await addMessages(messages / 10)
  const few = await measureBoth('few')
  await addMessages((messages * 9) / 10)
  const many = await measureBoth('many')

  const [counted] = await target.query<{ count: number }>(
    'select count(*)::int from message group by organization_id order by 1 desc',
  )
  assert.ok((counted?.count ?? 0) > messages)
  for (const step of ['export', 'import'] as const)
    assert.ok(
      many[step].peakMb < few[step].peakMb + maxGrowthMb,
      `${step}: ${few[step].peakMb} MB, then ${many[step].peakMb} MB`,
    )
})
