import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import type { MessageRow } from '../../platform/database/tables.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { job } from '../../platform/jobs/jobs.ts'
import { listContentWords, listTopicWords } from './words.ts'

const batchSize = 500

/**
 * Job that indexes messages without index words: messages from before search existed, and messages
 * that an older node sent during an upgrade. All other messages are indexed when they are sent.
 */
export const indexMessages = job<unknown>({
  name: 'index_messages',
  schedule: '* * * * *',
  async run({ db }) {
    while ((await inTransaction(db, indexBatch)) === batchSize);
  },
})

type Unindexed = Pick<MessageRow, 'organization_id' | 'id' | 'sender_id' | 'topic' | 'rendered_content'>

/**
 * Indexes one batch, the newest messages of an organization first. Returns the number of messages.
 */
async function indexBatch(tx: Tx): Promise<number> {
  const { rows } = await sql<Unindexed>`
    select organization_id, id, sender_id, topic, rendered_content from message where words is null
    order by organization_id, id desc limit ${batchSize} for no key update skip locked`.execute(tx)
  if (rows.length === 0) return 0
  const list = <Value>(value: (message: Unindexed) => Value): RawBuilder<unknown> => sql`${rows.map(value)}`
  await sql`
    update message m set words = noted.words::integer[], topic_words = noted.topic_words::integer[]
    from unnest(
      ${list(({ organization_id }) => organization_id)}::bigint[], ${list(({ id }) => id)}::bigint[],
      ${list((message) => toArrayLiteral(listContentWords(message.sender_id, message.rendered_content)))}::text[],
      ${list(({ topic }) => toArrayLiteral(listTopicWords(topic)))}::text[]
    ) as noted (organization_id, id, words, topic_words)
    where m.organization_id = noted.organization_id and m.id = noted.id`.execute(tx)
  return rows.length
}

/**
 * Formats an array as text, because PostgreSQL does not support arrays of arrays with different
 * lengths.
 */
const toArrayLiteral = (words: readonly number[]): string => `{${words.join()}}`
